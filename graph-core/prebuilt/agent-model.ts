// The chat model within what an author passes as an agent's `llm`: the model itself, one with options bound to it, one
// that is configured by the call, or a chain that holds one of these.
import type { LanguageModelLike } from '@langchain/core/language_models/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  Runnable,
  RunnableBinding,
  RunnableSequence,
  type RunnableConfig,
  type RunnableToolLike,
} from '@langchain/core/runnables';
import type { DynamicTool, StructuredToolInterface } from '@langchain/core/tools';

/** A tool that runs here. */
export type ClientTool = StructuredToolInterface | DynamicTool | RunnableToolLike;
/** A tool that the model's provider runs: its declaration. */
type ServerTool = Record<string, unknown>;
export type AgentTool = ServerTool | ClientTool;

export const isClientTool = (tool: AgentTool): tool is ClientTool => Runnable.isRunnable(tool);

/** What `initChatModel` of langchain makes: the model is known when it is called. */
interface ConfigurableModel {
  readonly _queuedMethodOperations: unknown;
  _model(): Promise<Runnable>;
}

/**
 * The model with the agent's tools, or as it is if they are bound already.
 * @throws Error when other tools are bound, or the model cannot be given any.
 */
export async function withTools(llm: LanguageModelLike, tools: readonly AgentTool[]): Promise<LanguageModelLike> {
  return (await areBound(llm, tools)) ? llm : bindTools(llm, tools);
}

/** @throws Error when there is no chat model in it. */
export async function chatModelIn(llm: LanguageModelLike): Promise<BaseChatModel> {
  let model = await configured(modelStep(llm));
  if (RunnableBinding.isRunnableBinding(model)) model = model.bound as Runnable;
  if (isChatModel(model)) return model;
  throw new Error(
    'Expected `llm` to be a ChatModel or RunnableBinding (e.g. llm.bind_tools(...)) with invoke() and generate() ' +
      `methods, got ${model.constructor.name}`,
  );
}

export function isChatModel(value: object): value is BaseChatModel {
  return '_modelType' in value && typeof (value as { invoke?: unknown }).invoke === 'function';
}

const isConfigurable = (value: object): value is ConfigurableModel & Runnable =>
  '_queuedMethodOperations' in value && typeof (value as Partial<ConfigurableModel>)._model === 'function';

const isModelStep = (step: Runnable): boolean =>
  RunnableBinding.isRunnableBinding(step) || isChatModel(step) || isConfigurable(step);

const modelStep = (llm: LanguageModelLike): Runnable =>
  RunnableSequence.isRunnableSequence(llm) ? (llm.steps.find(isModelStep) ?? (llm as Runnable)) : (llm as Runnable);

const configured = async (model: Runnable): Promise<Runnable> => (isConfigurable(model) ? await model._model() : model);

async function areBound(llm: LanguageModelLike, tools: readonly AgentTool[]): Promise<boolean> {
  const model = await configured(modelStep(llm));
  if (!RunnableBinding.isRunnableBinding(model)) return false;
  const bound = boundTools(model as unknown as Binding);
  if (bound === undefined) return false;
  if (bound.length !== tools.length) {
    throw new Error('Number of tools in the model.bindTools() and tools passed to createReactAgent must match');
  }
  const names = new Set(bound.map(declaredName));
  const missing = tools.filter(isClientTool).filter(({ name }) => !names.has(name));
  if (missing.length > 0) {
    throw new Error(
      `Missing tools '${missing.map(({ name }) => name).join(',')}' in the model.bindTools().` +
        'Tools in the model.bindTools() must match the tools passed to createReactAgent.',
    );
  }
  return true;
}

interface Binding {
  readonly kwargs?: { readonly tools?: unknown };
  readonly config?: { readonly tools?: unknown };
}

/** Providers keep them in either place; Google's puts all of them into one. */
function boundTools({ kwargs, config }: Binding): readonly ToolDeclaration[] | undefined {
  const tools = [kwargs?.tools, config?.tools].find(Array.isArray) as readonly ToolDeclaration[] | undefined;
  const [only] = tools ?? [];
  return tools?.length === 1 && only?.functionDeclarations ? only.functionDeclarations : tools;
}

/** In the forms of OpenAI, Anthropic and Bedrock. */
interface ToolDeclaration {
  readonly type?: string;
  readonly function?: { readonly name?: string };
  readonly name?: string;
  readonly toolSpec?: { readonly name?: string };
  readonly functionDeclarations?: readonly ToolDeclaration[];
}

const declaredName = (tool: ToolDeclaration): string | undefined =>
  tool.type === 'function' ? tool.function?.name : (tool.name ?? tool.toolSpec?.name);

async function bindTools(llm: LanguageModelLike, tools: readonly AgentTool[]): Promise<LanguageModelLike> {
  const bound = bindTo(llm as Runnable, tools) ?? (isConfigurable(llm) && bindTo(await configured(llm), tools));
  if (bound) return bound;
  if (RunnableSequence.isRunnableSequence(llm)) {
    const steps = [...llm.steps];
    const at = steps.findIndex(isModelStep);
    const model = at < 0 ? undefined : bindTo(steps[at] as Runnable, tools);
    if (model !== undefined) {
      steps.splice(at, 1, model as Runnable);
      return RunnableSequence.from(steps as never) as LanguageModelLike;
    }
  }
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- LangGraph's message
  throw new Error(`llm ${String(llm)} must define bindTools method.`);
}

/** Of a model, or of the one within a binding, whose other options stay. */
function bindTo(model: Runnable, tools: readonly AgentTool[]): LanguageModelLike | undefined {
  if (canBindTools(model)) return model.bindTools(tools) as LanguageModelLike;
  if (!RunnableBinding.isRunnableBinding(model)) return undefined;
  const { bound, config, kwargs, configFactories } = model as unknown as BindingFields;
  if (!canBindTools(bound)) return undefined;
  const inner = bound.bindTools(tools) as Runnable;
  const more = RunnableBinding.isRunnableBinding(inner) ? (inner as unknown as BindingFields) : undefined;
  return new RunnableBinding({
    bound: more?.bound ?? inner,
    config: { ...config, ...more?.config },
    kwargs: { ...kwargs, ...more?.kwargs },
    configFactories: more?.configFactories ?? configFactories,
  });
}

interface BindingFields {
  readonly bound: Runnable;
  readonly config: RunnableConfig;
  readonly kwargs?: Record<string, unknown>;
  readonly configFactories?: ((config: RunnableConfig) => RunnableConfig | Promise<RunnableConfig>)[];
}

const canBindTools = (model: object): model is { bindTools(tools: readonly AgentTool[]): unknown } & Runnable =>
  isChatModel(model) && typeof model.bindTools === 'function';
