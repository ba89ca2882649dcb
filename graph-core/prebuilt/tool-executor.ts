import { RunnableBinding, RunnableLambda, type RunnableConfig, type RunnableToolLike } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';

type AnyTool = StructuredToolInterface | RunnableToolLike;

/** @deprecated Use {@link ToolNode}. */
export interface ToolExecutorArgs {
  readonly tools: AnyTool[];
  /** With `{requestedToolName}` and `{availableToolNamesString}` in it. */
  readonly invalidToolMsgTemplate?: string;
}

/** Which tool to call, with what. */
export interface ToolInvocationInterface {
  readonly tool: string;
  readonly toolInput: string;
}

const NO_SUCH_TOOL = '{requestedToolName} is not a valid tool, try one of {availableToolNamesString}.';

/**
 * Calls the tool that its input names.
 * @deprecated Use {@link ToolNode}.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a tool takes and gives is its own
export class ToolExecutor extends RunnableBinding<any, any> {
  readonly lc_graph_name = 'ToolExecutor';
  readonly tools: AnyTool[];
  readonly toolMap: Record<string, AnyTool>;
  readonly invalidToolMsgTemplate: string;

  constructor({ tools, invalidToolMsgTemplate = NO_SUCH_TOOL }: ToolExecutorArgs) {
    super({
      bound: RunnableLambda.from(async (call: ToolInvocationInterface, config) => this._execute(call, config)),
      config: {},
    });
    this.tools = tools;
    this.toolMap = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
    this.invalidToolMsgTemplate = invalidToolMsgTemplate;
  }

  /** @returns what the tool gives, or a text that says which tools there are. */
  async _execute({ tool, toolInput }: ToolInvocationInterface, config?: RunnableConfig): Promise<unknown> {
    const found = Object.hasOwn(this.toolMap, tool) ? this.toolMap[tool] : undefined;
    if (found !== undefined) return found.invoke(toolInput, config) as Promise<unknown>;
    return this.invalidToolMsgTemplate
      .replace('{requestedToolName}', () => tool)
      .replace('{availableToolNamesString}', () => Object.keys(this.toolMap).join(', '));
  }
}

/** For agents that take either. */
export const toolExecutorOf = (tools: AnyTool[] | ToolExecutor): ToolExecutor =>
  Array.isArray(tools) ? new ToolExecutor({ tools }) : tools;
