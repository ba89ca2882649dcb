// The approval protocol that chat pages speak: a node interrupts with actions to be decided upon and gets a decision for
// each, in order.
import { interrupt } from 'superstep';

export interface Action {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface ActionRequest extends Action {
  readonly description?: string;
}

export type DecisionType = 'approve' | 'edit' | 'reject';

export interface ApprovalRequest {
  readonly action_requests: readonly ActionRequest[];
  readonly review_configs: readonly {
    readonly action_name: string;
    readonly allowed_decisions: readonly DecisionType[];
  }[];
}

export type Decision =
  | { readonly type: 'approve' }
  | { readonly type: 'edit'; readonly edited_action: Action }
  | { readonly type: 'reject'; readonly message?: string };

const EVERY_DECISION: readonly DecisionType[] = ['approve', 'edit', 'reject'];

/**
 * Waits until a person has decided on every action.
 * @throws Error for an answer that is not `{decisions: [...]}` with one decision for each action.
 */
export function askForApproval(actions: readonly ActionRequest[]): readonly Decision[] {
  const request: ApprovalRequest = {
    action_requests: actions,
    review_configs: [...new Set(actions.map(({ name }) => name))].map((action_name) => ({
      action_name,
      allowed_decisions: EVERY_DECISION,
    })),
  };
  const answer = interrupt<ApprovalRequest, { readonly decisions?: readonly Decision[] } | null>(request);
  const decisions = answer?.decisions;
  if (!Array.isArray(decisions) || decisions.length !== actions.length) {
    throw new Error(`Expected {"decisions": […]} with ${actions.length} decisions, got ${JSON.stringify(answer)}.`);
  }
  for (const decision of decisions as readonly Decision[]) check(decision);
  return decisions as readonly Decision[];
}

function check(decision: Decision): void {
  const { type } = decision;
  if (!EVERY_DECISION.includes(type))
    throw new Error(`Unknown decision "${String(type)}": expected ${EVERY_DECISION.join(', ')}.`);
  if (type === 'edit' && typeof decision.edited_action?.args !== 'object') {
    throw new Error('An edit decision needs edited_action: {"name": …, "args": {…}}.');
  }
}
