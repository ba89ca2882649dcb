import { AssistantsClient } from './assistants.js';
import { ProcessesClient } from './processes.js';
import { RunsClient } from './runs.js';
import { ThreadsClient } from './threads.js';
import { Transport, type ClientOptions } from './transport.js';

/**
 * A Superstep service, seen from Node 20 or a browser.
 *
 *     const client = new SuperstepClient({ apiUrl: 'http://127.0.0.1:2024' });
 *     const { thread_id } = await client.threads.create();
 *     for await (const { event, data } of client.runs.stream(thread_id, 'research', { input: { question } })) …
 *
 * Streams and waits outlive the connection and the server process they began on. Reads are repeated on transient
 * failures; what changes something is sent once, unless it certainly never left.
 */
export class SuperstepClient {
  readonly assistants: AssistantsClient;
  readonly threads: ThreadsClient;
  readonly runs: RunsClient;
  /** The monitoring API. */
  readonly processes: ProcessesClient;

  constructor(options: ClientOptions = {}) {
    const transport = new Transport(options);
    this.assistants = new AssistantsClient(transport);
    this.threads = new ThreadsClient(transport);
    this.runs = new RunsClient(transport);
    this.processes = new ProcessesClient(transport);
  }
}
