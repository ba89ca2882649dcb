// What a run asks of a person, and the answers that the command line can give.
import type { ThreadState } from '../../client/index.js';
import { UsageError } from './usage-error.js';

export interface Question {
  readonly id?: string;
  readonly node: string;
  readonly value: unknown;
}

export type Answer =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'approve' }
  | { readonly kind: 'reject'; readonly reason: string }
  /** Other arguments for the one action that is asked about. */
  | { readonly kind: 'edit'; readonly args: unknown };

/** The approval protocol: actions to be decided upon, in order, and for each the decisions that may be taken. */
export interface ApprovalRequest {
  readonly action_requests: readonly { readonly name: string; readonly args: unknown; readonly description?: string }[];
  readonly review_configs?: readonly { readonly action_name: string; readonly allowed_decisions: readonly string[] }[];
}

export function approvalRequest(value: unknown): ApprovalRequest | undefined {
  const request = value as Partial<ApprovalRequest> | null | undefined;
  return typeof request === 'object' && Array.isArray(request?.action_requests)
    ? (request as ApprovalRequest)
    : undefined;
}

export const questionsOf = (state: ThreadState): readonly Question[] =>
  state.tasks.flatMap(({ name, interrupts }) =>
    interrupts.map(({ id, value }) => ({ node: name, value, ...(id && { id }) })),
  );

/**
 * The value to resume with: one answer, or a record by interrupt id where several questions wait.
 * @throws UsageError when the answer does not fit the questions.
 */
export function resumeValue(questions: readonly Question[], answer: Answer): unknown {
  if (answer.kind === 'value') {
    if (answer.value === null) throw new UsageError('--value: null is no answer; any other JSON is.');
    return answer.value;
  }
  const [first, ...others] = questions.map((question) => [question.id, decisions(question, answer)] as const);
  if (first === undefined) {
    throw new UsageError(`The run waits at a breakpoint and asks nothing: go on with --value '{}'.`);
  }
  return others.length === 0 ? first[1] : Object.fromEntries([first, ...others]);
}

function decisions(question: Question, answer: Exclude<Answer, { kind: 'value' }>): unknown {
  const request = approvalRequest(question.value);
  if (!request) {
    throw new UsageError(`Node "${question.node}" asks something other than an approval: answer it with --value.`);
  }
  for (const { name } of request.action_requests) {
    const allowed = allowedDecisions(request, name);
    if (allowed.includes(answer.kind)) continue;
    throw new UsageError(`Action "${name}" does not take ${answer.kind}; it takes ${allowed.join(', ')}.`);
  }
  const [action, ...more] = request.action_requests;
  if (answer.kind !== 'edit') {
    const decision = answer.kind === 'approve' ? { type: 'approve' } : { type: 'reject', message: answer.reason };
    return { decisions: request.action_requests.map(() => decision) };
  }
  if (!action || more.length > 0) {
    throw new UsageError(`--edit is for one action, and ${request.action_requests.length} wait: use --value.`);
  }
  return { decisions: [{ type: 'edit', edited_action: { name: action.name, args: answer.args } }] };
}

export const allowedDecisions = ({ review_configs }: ApprovalRequest, action: string): readonly string[] =>
  review_configs?.find(({ action_name }) => action_name === action)?.allowed_decisions ?? ['approve', 'edit', 'reject'];
