// The question-and-answer protocol that agent inboxes speak: what a node passes to `interrupt()`, and what comes back.

/** Which answers the person may give. */
export interface HumanInterruptConfig {
  /** Go on as if the action had been done. */
  allow_ignore: boolean;
  /** Answer in words instead. */
  allow_respond: boolean;
  /** Change the action first. */
  allow_edit: boolean;
  /** Do it as it is. */
  allow_accept: boolean;
}

/** What the agent is about to do. */
export interface ActionRequest {
  action: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- arguments of any tool; LangGraph's type
  args: Record<string, any>;
}

export interface HumanInterrupt {
  action_request: ActionRequest;
  config: HumanInterruptConfig;
  /** For the person. */
  description?: string;
}

export type HumanResponse = {
  type: 'accept' | 'ignore' | 'response' | 'edit';
  /** `response`: the words; `edit`: the action as it should be; otherwise null. */
  args: null | string | ActionRequest;
};
