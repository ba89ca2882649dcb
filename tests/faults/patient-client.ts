// What a careful client does while a service comes and goes: asks again, and never asks twice for the same thing.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Platform, type Answer } from '../support/platform.js';

/** A lost submission is found by the sweep: every 30 s, runs older than 30 s. The rest is for slow machines. */
export const PATIENCE_MS = 300_000;
const RETRY_MS = 200;

export interface RunIds {
  readonly thread: string;
  readonly run: string;
}

export class PatientClient {
  readonly platform: Platform;

  constructor(url: string) {
    this.platform = new Platform(url);
  }

  /** Asks until the answer is one: for calls that may be repeated. @throws for a status of 4xx */
  async ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<any> {
    return this.#insist(`${method} ${path}`, async () => {
      const answer = await this.platform.call(method, path, body);
      return answer.status < 500 ? { answer: accepted(method, path, answer) } : undefined;
    });
  }

  async thread(): Promise<string> {
    const thread_id = randomUUID();
    await this.ask('POST', '/threads', { thread_id, if_exists: 'do_nothing' });
    return thread_id;
  }

  /** A submission whose answer was lost is looked for before it is repeated. */
  async submit(thread: string, graph: string, body: object): Promise<RunIds> {
    const submission = randomUUID();
    const path = `/threads/${thread}/runs`;
    return this.#insist(`POST ${path}`, async () => {
      try {
        const answer = await this.platform.call('POST', path, {
          assistant_id: graph,
          metadata: { submission },
          ...body,
        });
        if (answer.status < 500) return { answer: { thread, run: accepted('POST', path, answer).run_id } };
      } catch (error) {
        if (error instanceof Refused) throw error;
      }
      const runs = (await this.ask('GET', `${path}?limit=100`)) as {
        run_id: string;
        metadata: { submission: string };
      }[];
      const found = runs.find(({ metadata }) => metadata.submission === submission);
      return found && { answer: { thread, run: found.run_id } };
    });
  }

  /** Answers the run's pause once: a conflict says that an earlier try, whose answer was lost, got through. */
  async resume({ thread, run }: RunIds, resume: unknown): Promise<void> {
    const path = `/threads/${thread}/runs/${run}/resume`;
    let tries = 0;
    await this.#insist(`POST ${path}`, async () => {
      tries += 1;
      const answer = await this.platform.call('POST', path, { resume });
      if (answer.status === 409 && tries > 1) return { answer: undefined };
      return answer.status < 500 ? { answer: accepted('POST', path, answer) } : undefined;
    });
  }

  async status({ thread, run }: RunIds): Promise<string> {
    return (await this.ask('GET', `/threads/${thread}/runs/${run}`)).status as string;
  }

  async ended(ids: RunIds): Promise<string> {
    return this.#insist(`the end of run ${ids.run}`, async () => {
      const status = await this.status(ids);
      return isOpen(status) ? undefined : { answer: status };
    });
  }

  state(thread: string): Promise<any> {
    return this.ask('GET', `/threads/${thread}/state`);
  }

  async #insist<Answered>(what: string, attempt: () => Promise<{ answer: Answered } | undefined>): Promise<Answered> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    let last: unknown;
    for (;;) {
      try {
        const outcome = await attempt();
        if (outcome !== undefined) return outcome.answer;
      } catch (error) {
        if (error instanceof Refused) throw error;
        last = error;
      }
      if (Date.now() > giveUpAt) throw new Error(`Not within ${PATIENCE_MS} ms: ${what}`, { cause: last });
      await delay(RETRY_MS);
    }
  }
}

export const isOpen = (status: string): boolean => status === 'pending' || status === 'running';

class Refused extends Error {}

function accepted(method: string, path: string, { status, body }: Answer): any {
  if (status >= 400) throw new Refused(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}
