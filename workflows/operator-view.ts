// What an operator reads in the Temporal UI without knowing our code: search attributes, current details, and the
// summaries of activities.
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  ATTRIBUTE_KEYS,
  runAttributes,
  type RunRef,
  type RunStatusLabel,
  type SettleInput,
  type WaitingFor,
} from './messages.js';

/** The server's limits (`limit.userMetadataSummarySize`, `…DetailsSize`). */
const MAX_SUMMARY_BYTES = 400;
const MAX_DETAILS_BYTES = 20_000;

export class OperatorView {
  readonly #threadId: string;
  readonly #run: RunRef;
  #shown: RunStatusLabel | undefined;

  constructor(threadId: string, run: RunRef) {
    this.#threadId = threadId;
    this.#run = run;
    const given = workflowInfo().typedSearchAttributes;
    // Continue-as-new and a restart hand old values on: only those of this very run count as shown.
    if (given.get(ATTRIBUTE_KEYS.run) === run.runId)
      this.#shown = given.get(ATTRIBUTE_KEYS.runStatus) as RunStatusLabel;
  }

  /** All attributes in one call, so one history event; none when they came with the start. */
  show(status: RunStatusLabel): void {
    if (this.#shown === status) return;
    this.#shown = status;
    upsertSearchAttributes(runAttributes(this.#threadId, this.#run, status));
  }

  waits(pause: number, waitingFor: readonly WaitingFor[], next: readonly string[]): void {
    this.show('waiting');
    setCurrentDetails(truncate(this.#waitingDetails(pause, waitingFor, next), MAX_DETAILS_BYTES));
  }

  runs(status: 'pending' | 'running'): void {
    this.show(status);
    setCurrentDetails('');
  }

  #waitingDetails(pause: number, waitingFor: readonly WaitingFor[], next: readonly string[]): string {
    const what =
      waitingFor.length > 0
        ? waitingFor.map(
            ({ node, summary, interruptId }) => `- \`${node}\` asks: ${summary} (interrupt \`${interruptId}\`)`,
          )
        : [`- a breakpoint at ${next.map((node) => `\`${node}\``).join(', ')}`];
    return [
      `**Waits for a person** (pause ${pause} of run \`${this.#run.runId}\`)`,
      '',
      ...what,
      '',
      `Answer with \`POST /threads/${this.#threadId}/runs/${this.#run.runId}/resume\` and \`{"resume": …}\`, ` +
        'or send this workflow the signal `resume` with `{"value": …}`.',
    ].join('\n');
  }
}

/** "step 3: research, critic" */
export const stepSummary = (step: number, nodes: readonly string[]): string =>
  truncate(nodes.length > 0 ? `step ${step}: ${nodes.join(', ')}` : `step ${step}`, MAX_SUMMARY_BYTES);

/** "settle: error in research" */
export function settleSummary({ run, outcome }: SettleInput): string {
  const node = outcome.kind === 'error' && outcome.error.node !== undefined ? ` in ${outcome.error.node}` : '';
  return truncate(`settle ${run.runId}: ${outcome.kind}${node}`, MAX_SUMMARY_BYTES);
}

/** At most so many bytes of UTF-8, an ellipsis included; never half a character. */
function truncate(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  let kept = '';
  let bytes = byteLength('…');
  for (const character of text) {
    bytes += byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Of UTF-8. The sandbox has a TextEncoder, but the loop above asks for one character at a time. */
function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
