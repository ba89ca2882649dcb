// Assistants: a graph with settings. Every graph of the config has one of its own, made by the system.
import type { Database } from './database.js';
import type { JsonObject } from './records.js';

export interface Assistant {
  readonly assistantId: string;
  readonly graphId: string;
  readonly name: string;
  readonly description: string | null;
  readonly config: JsonObject;
  readonly context: JsonObject;
  readonly metadata: JsonObject;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface AssistantFilter {
  readonly graphId?: string;
  /** Containment. */
  readonly metadata?: JsonObject;
  /** Part of the name, in any case. */
  readonly name?: string;
}
export interface AssistantSearch extends AssistantFilter {
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: 'assistant_id' | 'graph_id' | 'name' | 'created_at' | 'updated_at';
  readonly sortOrder: 'asc' | 'desc';
}

/** UUIDv5 of the graph's id, as LangGraph servers compute it. */
export function systemAssistantId(graphId: string): string {
  void graphId;
  throw new Error('not built');
}

export class Assistants {
  constructor(db: Database) {
    void db;
  }
  /** One assistant for each graph; those that exist stay as they are. */
  async upsertSystem(graphIds: readonly string[]): Promise<void> {
    void graphIds;
    throw new Error('not built');
  }
  /** By assistant id, or the system assistant of a graph by the graph's id. */
  async get(assistantOrGraphId: string): Promise<Assistant | null> {
    void assistantOrGraphId;
    throw new Error('not built');
  }
  async search(search: AssistantSearch): Promise<Assistant[]> {
    void search;
    throw new Error('not built');
  }
  async count(filter: AssistantFilter): Promise<number> {
    void filter;
    throw new Error('not built');
  }
}
