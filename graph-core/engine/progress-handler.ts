import { BaseCallbackHandler } from '@langchain/core/callbacks/base';

const EVENTS = [
  'handleLLMStart',
  'handleChatModelStart',
  'handleLLMNewToken',
  'handleLLMEnd',
  'handleLLMError',
  'handleChainStart',
  'handleChainEnd',
  'handleChainError',
  'handleToolStart',
  'handleToolEnd',
  'handleToolError',
  'handleText',
  'handleRetrieverStart',
  'handleRetrieverEnd',
  'handleRetrieverError',
  'handleCustomEvent',
] as const satisfies readonly (keyof BaseCallbackHandler)[];

/** Hears of everything that LangChain does under a run. */
export class ProgressHandler extends BaseCallbackHandler {
  override name = 'ProgressHandler';
  override awaitHandlers = false;

  constructor(onProgress: () => void) {
    super();
    for (const event of EVENTS) this[event] = onProgress;
  }
}
