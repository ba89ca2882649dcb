// Reaching a Temporal server that may not be up yet, and making its namespace ready for us.
import { Client, type Connection } from '@temporalio/client';
import { connectTemporal } from '../server/temporal-connection.js';
import { SEARCH_ATTRIBUTES } from '../workflows/messages.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from './log.js';
import { OperatorError } from './operator-error.js';
import type { TemporalAccess } from './settings.js';
import { registerSearchAttributes, type SearchAttributeType } from './temporal-namespace.js';

const patienceMs = 20_000;
const retryMs = 500;
const attemptMs = 5_000;

export interface TemporalClient {
  readonly client: Client;
  readonly connection: Connection;
  readonly namespace: string;
}

/**
 * Connects, and registers the search attributes.
 * @throws OperatorError when the server cannot be reached in time, or refuses.
 */
export async function openTemporal(access: TemporalAccess, log: Log): Promise<TemporalClient> {
  const address = access.connectionOptions.address ?? '127.0.0.1:7233';
  const namespace = access.namespace ?? 'default';
  const connection = await connectWhenReachable(access, address, log);
  try {
    await registerSearchAttributes(connection, namespace, attributeTypes());
  } catch (error) {
    await connection.close();
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The Temporal server at ${address} does not serve namespace "${namespace}" (${(error as Error).message}). Does TEMPORAL_NAMESPACE name it?`,
    );
  }
  return { connection, namespace, client: new Client({ connection, namespace }) };
}

async function connectWhenReachable(access: TemporalAccess, address: string, log: Log): Promise<Connection> {
  const giveUpAt = Date.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connectTemporal({ ...access.connectionOptions, address, connectTimeout: attemptMs });
    } catch (error) {
      if (Date.now() > giveUpAt) {
        throw new OperatorError(
          `Temporal at ${address} cannot be reached (${(error as Error).message}). Is it running, and does TEMPORAL_ADDRESS name it?`,
        );
      }
      if (attempt === 1) log.info('Waiting for Temporal', { at: address });
      await delay(retryMs);
    }
  }
}

function attributeTypes(): Record<string, SearchAttributeType> {
  return Object.fromEntries(
    Object.entries(SEARCH_ATTRIBUTES).map(([meaning, name]) => [
      name,
      meaning === 'waitsForApproval' ? 'Bool' : 'Keyword',
    ]),
  );
}
