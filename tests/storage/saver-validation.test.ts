// LangGraph's own validation of checkpoint savers, on those that come with Superstep.
import { deltaChannelHistoryTests, specTest } from '@langchain/langgraph-checkpoint-validation';
import { MemorySaver } from '../../graph-core/index.js';
import type { CheckpointSaver } from '../../storage/checkpoint-saver.js';
import { POSTGRES_START_TIMEOUT_MS } from '../support/postgres.js';
import '../support/soft-expect.js';
import { openStorage, type Storage } from './fixtures.js';

const memory = { checkpointerName: 'MemorySaver', createCheckpointer: () => new MemorySaver() };

let storage: Storage | undefined;

const postgres = {
  checkpointerName: 'CheckpointSaver',
  beforeAllTimeout: POSTGRES_START_TIMEOUT_MS,
  beforeAll: async () => {
    storage = await openStorage();
  },
  afterAll: () => storage?.close(),
  createCheckpointer: (): CheckpointSaver => {
    if (storage === undefined) throw new Error('Postgres has not started.');
    return storage.saver;
  },
  destroyCheckpointer: async () => {
    await storage?.db.pool.query('truncate checkpoints, checkpoint_blobs, checkpoint_writes');
  },
};

specTest(memory);
deltaChannelHistoryTests(memory);
specTest(postgres);
deltaChannelHistoryTests(postgres);
