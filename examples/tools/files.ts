// The agent's tools: a small folder that lives in the graph's state, so that what they do is in the checkpoints and
// survives like everything else.
import { ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Command, type ToolRuntime } from 'superstep';

/** By path. In an update, null deletes. */
export type Files = Readonly<Record<string, string>>;
export type FileChanges = Readonly<Record<string, string | null>>;

export const SAMPLE_FILES: Files = {
  'drafts/letter.txt': 'Dear harbour master, our ship arrives tomorrow.',
  'drafts/old-letter.txt': 'Dear harbour master, our ship arrives yesterday.',
  'reports/tides.txt': 'High water at 06:12 and 18:37.',
};

export const mergeFiles = (files: Files, changes: FileChanges): Files =>
  Object.fromEntries(
    Object.entries({ ...files, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null),
  );

const filesOf = (runtime: unknown): Files => (runtime as ToolRuntime<{ readonly files: Files }>).state.files;
const pathSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;

const listFiles = tool((_args: unknown, runtime) => Object.keys(filesOf(runtime)).sort().join('\n') || '(no files)', {
  name: 'list_files',
  description: 'Lists the paths of all files.',
  schema: { type: 'object', properties: {} },
});

const readFile = tool((args: unknown, runtime) => contentOf(filesOf(runtime), (args as { path: string }).path), {
  name: 'read_file',
  description: 'Gives the text of a file.',
  schema: pathSchema,
});

const deleteFile = tool(
  (args: unknown, runtime) => {
    const { path } = args as { path: string };
    const { toolCallId } = runtime as unknown as ToolRuntime;
    contentOf(filesOf(runtime), path);
    const message = new ToolMessage({ content: `Deleted ${path}.`, tool_call_id: toolCallId, name: 'delete_file' });
    return new Command({ update: { files: { [path]: null }, messages: [message] } });
  },
  { name: 'delete_file', description: 'Deletes a file for good.', schema: pathSchema },
);

export const fileTools = [listFiles, readFile, deleteFile];

/** What is not done before a person has agreed. */
export const DANGEROUS_TOOLS: ReadonlySet<string> = new Set(['delete_file']);

function contentOf(files: Files, path: string): string {
  const text = files[path];
  if (text === undefined) throw new Error(`There is no file "${path}".`);
  return text;
}
