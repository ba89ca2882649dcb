// The scripted agent: understands "list", "read <path>" and "delete <path or word>", and tells what came of it.
import type { BaseMessage } from '@langchain/core/messages';
import type { Script, ScriptedAnswer } from '../models/scripted-chat-model.js';

export const agentScript: Script = (messages) => {
  const asked = messages.findLastIndex((message) => message.getType() === 'human');
  const request = messages[asked]?.text ?? '';
  const since = messages.slice(asked + 1);
  const results = since.filter((message) => message.getType() === 'tool');
  const listing = results.find(({ name }) => name === 'list_files')?.text.split('\n');

  const target = /\b(?:delete|remove|read|show)\s+(?:the\s+|every\s+|all\s+)?(?:files?\s+)?["“]?([\w./-]*[\w/-])/i.exec(
    request,
  )?.[1];
  if (/\b(delete|remove)\b/i.test(request) && target) return deletion(target, listing, results);
  if (/\b(read|show)\b/i.test(request) && target)
    return results.length === 0 ? call('read_file', { path: target }) : summary(results);
  if (/\bfiles?|list\b/i.test(request))
    return listing ? { text: `There are ${listing.length} files:\n${listing.join('\n')}` } : call('list_files');
  return { text: 'I can list files, read one, and delete them: try "Delete the drafts".' };
};

/** Looks first, then deletes what matches. */
function deletion(
  target: string,
  listing: readonly string[] | undefined,
  results: readonly BaseMessage[],
): ScriptedAnswer {
  if (!listing) return { text: 'I look at the files first.', ...call('list_files') };
  if (results.some(({ name }) => name === 'delete_file'))
    return summary(results.filter(({ name }) => name === 'delete_file'));
  const word = target.toLowerCase().replace(/s$/, '');
  const paths = listing.filter((path) => path.toLowerCase().includes(word));
  if (paths.length === 0) return { text: `No file matches "${target}".` };
  return { toolCalls: paths.map((path) => ({ name: 'delete_file', args: { path } })) };
}

const call = (name: string, args: Readonly<Record<string, unknown>> = {}): ScriptedAnswer => ({
  toolCalls: [{ name, args }],
});

const summary = (results: readonly BaseMessage[]): ScriptedAnswer => ({
  text: results.map(({ text }) => text).join('\n'),
});
