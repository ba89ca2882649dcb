// The model of the examples: a provider's where the environment has its key, the script otherwise.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ScriptedChatModel, type Script } from './scripted-chat-model.js';

interface Provider {
  readonly key: string;
  readonly package: string;
  readonly className: string;
  readonly modelVariable: string;
  readonly defaultModel: string;
}

const PROVIDERS: readonly Provider[] = [
  {
    key: 'OPENAI_API_KEY',
    package: '@langchain/openai',
    className: 'ChatOpenAI',
    modelVariable: 'OPENAI_MODEL',
    defaultModel: 'gpt-4o-mini',
  },
  {
    key: 'ANTHROPIC_API_KEY',
    package: '@langchain/anthropic',
    className: 'ChatAnthropic',
    modelVariable: 'ANTHROPIC_MODEL',
    defaultModel: 'claude-3-5-haiku-latest',
  },
];

/** The same provider's model for every role; a script of its own for each. */
export async function chatModel(script: Script): Promise<BaseChatModel> {
  const provider = PROVIDERS.find(({ key }) => Boolean(process.env[key]));
  return (provider && (await providersModel(provider))) ?? new ScriptedChatModel({ script });
}

async function providersModel(provider: Provider): Promise<BaseChatModel | undefined> {
  // Not a dependency of the examples: installed by who has a key.
  const module: unknown = await import(provider.package).catch((error: unknown) => {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.warn(
      `${provider.key} is set, but ${provider.package} is not installed: npm install ${provider.package}. The scripted model answers meanwhile.`,
    );
    return undefined;
  });
  if (module === undefined) return undefined;
  const Model = (module as Record<string, new (fields: { model: string }) => BaseChatModel>)[provider.className];
  if (!Model) throw new Error(`${provider.package} exports no ${provider.className}.`);
  return new Model({ model: process.env[provider.modelVariable] ?? provider.defaultModel });
}
