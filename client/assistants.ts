import type { Transport } from './transport.js';
import type { Assistant, Metadata } from './wire.js';

export interface AssistantSearch {
  readonly graphId?: string;
  readonly name?: string;
  readonly metadata?: Metadata;
  readonly limit?: number;
  readonly offset?: number;
}

export class AssistantsClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Every graph of the service has an assistant of its own; its `graph_id` may be used in place of its id. */
  search(query: AssistantSearch = {}): Promise<readonly Assistant[]> {
    const { graphId, ...rest } = query;
    return this.#transport.json('POST', '/assistants/search', { json: { ...rest, graph_id: graphId } });
  }

  /** By id or graph id. @throws HttpError 404 */
  get(assistantId: string): Promise<Assistant> {
    return this.#transport.json('GET', `/assistants/${encodeURIComponent(assistantId)}`);
  }
}
