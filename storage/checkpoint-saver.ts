// Checkpoints in Postgres, in the tables of LangGraph's own saver.
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import type pg from 'pg';

export class CheckpointSaver extends PostgresSaver {
  constructor(pool: pg.Pool) {
    super(pool);
  }
}

/** A saver whose statements are part of the transaction that is open on `client`. */
export function txSaver(client: pg.ClientBase): CheckpointSaver {
  void client;
  throw new Error('not built');
}
