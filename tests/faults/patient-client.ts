// What a careful client does while a service comes and goes: asks again, and never asks twice for the same thing.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Platform, type Answer } from '../support/platform.js';

/** A lost submission is found by the sweep: every 30 s, runs older than 30 s. The rest is for slow machines. */
const PATIENCE_MS = 300_000;
const RETRY_MS = 200;

export interface RunIds {
  readonly thread: string;
  readonly run: string;
}

interface RunBody {
  readonly run_id: string;
  readonly status: string;
  readonly metadata: { readonly submission?: string };
}

interface Question {
  readonly id: string;
  readonly value: unknown;
}

interface StateBody {
  readonly values: Readonly<Record<string, unknown>>;
  readonly next: readonly string[];
  readonly tasks: readonly { readonly interrupts: readonly Question[] }[];
}

export class PatientClient {
  readonly platform: Platform;

  constructor(url: string) {
    this.platform = new Platform(url);
  }

  /** Asks until the answer is one: for calls that may be repeated. @throws for a status of 4xx */
  async ask<Body>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Body> {
    return this.#insist(`${method} ${path}`, async () => {
      const answer = await this.platform.call<Body>(method, path, body);
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
        const answer = await this.platform.call<RunBody>('POST', path, {
          assistant_id: graph,
          metadata: { submission },
          ...body,
        });
        if (answer.status < 500) {
          const { run_id } = accepted('POST', path, answer);
          return { answer: { thread, run: run_id } };
        }
      } catch (error) {
        if (error instanceof Refused) throw error;
      }
      const runs = await this.ask<RunBody[]>('GET', `${path}?limit=100`);
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
      const answer = await this.platform.call<RunBody>('POST', path, { resume });
      if (answer.status === 409 && tries > 1) return { answer: undefined };
      return answer.status < 500 ? { answer: accepted('POST', path, answer) } : undefined;
    });
  }

  async status({ thread, run }: RunIds): Promise<string> {
    return (await this.ask<RunBody>('GET', `/threads/${thread}/runs/${run}`)).status;
  }

  async ended(ids: RunIds): Promise<string> {
    return this.#insist(`the end of run ${ids.run}`, async () => {
      const status = await this.status(ids);
      return isOpen(status) ? undefined : { answer: status };
    });
  }

  async threadStatus(thread: string): Promise<string> {
    return (await this.ask<{ readonly status: string }>('GET', `/threads/${thread}`)).status;
  }

  state(thread: string): Promise<StateBody> {
    return this.ask('GET', `/threads/${thread}/state`);
  }

  async questions(thread: string): Promise<Question[]> {
    return (await this.state(thread)).tasks.flatMap(({ interrupts }) => interrupts);
  }

  /** Waits until so many questions are asked. */
  async asked(thread: string, count: number): Promise<Question[]> {
    return this.#insist(`${count} questions on thread ${thread}`, async () => {
      const answer = await this.questions(thread);
      return answer.length === count ? { answer } : undefined;
    });
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

function accepted<Body>(method: string, path: string, { status, body }: Answer<Body>): Body {
  if (status >= 400) throw new Refused(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}
