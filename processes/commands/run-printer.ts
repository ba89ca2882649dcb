// The events of a run as lines for a person.
import type { StreamEvent, StreamMode } from '../../client/index.js';
import { Speeches, type MessageChunk } from './speeches.js';
import { inline, type Terminal } from './terminal.js';

/** What the printer understands. */
export const PRINTED_MODES: readonly StreamMode[] = ['tasks', 'messages-tuple', 'custom'];

interface TaskEvent {
  readonly id: string;
  readonly name: string;
  /** Of the start of a task. */
  readonly triggers?: readonly string[];
  readonly result?: unknown;
  readonly error?: string | { readonly message?: string };
  readonly interrupts?: readonly unknown[];
}

export class RunPrinter {
  readonly #terminal: Terminal;
  readonly #speeches: Speeches;
  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#speeches = new Speeches(terminal);
  }

  print({ event, data }: StreamEvent): void {
    const [mode = '', ...namespace] = event.split('|');
    switch (mode) {
      case 'metadata':
        return this.#attempt(data as { attempt?: number });
      case 'tasks':
        return this.#task(data as TaskEvent, namespace);
      case 'messages': {
        const [chunk, metadata] = data as [MessageChunk, Record<string, string>];
        return this.#speeches.hear(chunk, metadata);
      }
      case 'custom':
        return this.#line(`  · ${inline(data, this.#terminal.columns - 6)}`);
      default:
        return;
    }
  }

  /** Somebody else writes a line. */
  interlude(): void {
    this.#speeches.breakLine();
  }

  /** Nothing more comes. */
  end(): void {
    this.#speeches.closeAll();
  }

  #attempt({ attempt = 1 }: { attempt?: number }): void {
    if (attempt === 1) return;
    this.#speeches.closeAll();
    this.#line(
      this.#terminal.style.yellow(`↻ The step was begun anew (attempt ${attempt}); what it said before is void.`),
    );
  }

  #task(task: TaskEvent, namespace: readonly string[]): void {
    const { style, columns } = this.#terminal;
    const name = [...namespace.map((segment) => segment.split(':')[0]), task.name].join(' › ');
    if (task.triggers) return this.#line(`${style.bold('●')} ${style.bold(name)}`);
    this.#speeches.close(task.id);
    if (task.error)
      return this.#line(style.red(`✗ ${name}: ${inline(faultOf(task.error), columns - name.length - 4)}`));
    if ((task.interrupts?.length ?? 0) > 0) return this.#line(style.yellow(`⏸ ${name} asks`));
    const news = unsaid(task.result);
    const result = isEmpty(news) ? '' : style.dim(` ${inline(news, columns - name.length - 4)}`);
    this.#line(`${style.green('✓')} ${name}${result}`);
  }

  #line(text: string): void {
    this.#speeches.breakLine();
    this.#terminal.line(text);
  }
}

/** Messages were shown as they were said. */
function unsaid(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  return Object.fromEntries(Object.entries(result).filter(([key]) => key !== 'messages'));
}

const isEmpty = (result: unknown): boolean =>
  result === undefined || result === null || (typeof result === 'object' && Object.keys(result).length === 0);

const faultOf = (error: NonNullable<TaskEvent['error']>): unknown =>
  typeof error === 'string' ? error : (error.message ?? error);
