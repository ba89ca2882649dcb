// What a namespace needs before the first worker starts.
import type { Connection } from '@temporalio/client';
import { msNumberToTs } from '@temporalio/common/lib/time.js';
import { OperatorError } from './operator-error.js';

/** Temporal's IndexedValueType, by the names its tools use. */
const indexedValueTypes = { Text: 1, Keyword: 2, Int: 3, Double: 4, Bool: 5, Datetime: 6, KeywordList: 7 } as const;
export type SearchAttributeType = keyof typeof indexedValueTypes;

/**
 * Registers what is missing. Before the worker starts: an attribute that the server does not know makes every workflow
 * task that sets it fail, for ever.
 * @throws OperatorError when the server does not let us (Temporal Cloud has its own way), naming the attributes.
 */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  attributes: Readonly<Record<string, SearchAttributeType>>,
): Promise<void> {
  const missing = await missingAttributes(connection, namespace, attributes);
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing.map(([name, type]) => [name, indexedValueTypes[type]]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    // Another process may have registered them at the same moment.
    if ((await missingAttributes(connection, namespace, attributes)).length === 0) return;
    const flags = missing.map(([name, type]) => `--name ${name} --type ${type}`).join(' ');
    throw new OperatorError(
      `The search attributes of Superstep cannot be registered in namespace "${namespace}" (${(error as Error).message}). Have an operator run: temporal operator search-attribute create --namespace ${namespace} ${flags}`,
    );
  }
}

async function missingAttributes(
  connection: Connection,
  namespace: string,
  attributes: Readonly<Record<string, SearchAttributeType>>,
): Promise<[string, SearchAttributeType][]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.entries(attributes).filter(([name]) => customAttributes?.[name] === undefined);
}

const msPerDay = 86_400_000;

/** Keeps closed runs, and with them their event logs, for at least this long. A longer retention is left as it is. */
export async function raiseRetention(connection: Connection, namespace: string, days: number): Promise<void> {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  const seconds = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  if (seconds * 1_000 >= days * msPerDay) return;
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: msNumberToTs(days * msPerDay) },
  });
}
