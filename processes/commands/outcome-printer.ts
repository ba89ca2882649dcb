// How a run stands when its stream has ended: what it waits for and how to answer, or what it came to.
import { allowedDecisions, approvalRequest, type Question } from './answers.js';
import { textOf } from './speeches.js';
import { inline, type Terminal } from './terminal.js';

/** Longest text and longest JSON shown of a result; the whole is in the thread's state. */
const MAX_TEXT_CHARS = 4_000;
const MAX_JSON_CHARS = 600;

export function printQuestions(
  terminal: Terminal,
  runId: string,
  questions: readonly Question[],
  next: readonly string[],
): void {
  const { style } = terminal;
  const command = `superstep resume ${runId}`;
  terminal.line();
  if (questions.length === 0) {
    terminal.line(style.yellow(`⏸ The run stopped at a breakpoint before ${next.join(', ')}.`));
    terminal.line(`  Go on:  ${command} --value '{}'`);
    return;
  }
  terminal.line(style.yellow(`⏸ The run waits for you. It holds nothing meanwhile, and survives restarts.`));
  for (const question of questions) printQuestion(terminal, question);
  for (const way of waysToAnswer(questions)) terminal.line(`  ${style.dim('Answer:')} ${command} ${way}`);
}

function printQuestion(terminal: Terminal, { id, node, value }: Question): void {
  const request = approvalRequest(value);
  terminal.line(`  ${terminal.style.bold(node)} asks${id ? terminal.style.dim(` (interrupt ${id})`) : ''}:`);
  if (!request) {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    terminal.line(indent(bounded(text ?? '')));
    return;
  }
  for (const { name, args, description } of request.action_requests) {
    if (description) terminal.line(indent(bounded(description)));
    terminal.line(`    ${terminal.style.cyan(name)} ${inline(args, terminal.columns - name.length - 6)}`);
  }
}

function waysToAnswer(questions: readonly Question[]): readonly string[] {
  const requests = questions.map(({ value }) => approvalRequest(value));
  const approvals = requests.filter((request) => request !== undefined);
  if (approvals.length < questions.length) {
    return questions.length === 1
      ? [`--value '<json>'`]
      : [`--value '{${questions.map(({ id }) => `"${id}": <json>`).join(', ')}}'`];
  }
  const everyAction = approvals.flatMap((request) =>
    request.action_requests.map(({ name }) => allowedDecisions(request, name)),
  );
  const possible = (decision: string): boolean => everyAction.every((allowed) => allowed.includes(decision));
  return [
    ...(possible('approve') ? ['--approve'] : []),
    ...(possible('reject') ? ['--reject "<reason>"'] : []),
    ...(possible('edit') && everyAction.length === 1 ? [`--edit '<json of other arguments>'`] : []),
  ];
}

/** State values: messages as a conversation, text as text, the rest as JSON. */
export function printResult(terminal: Terminal, values: unknown): void {
  const { style } = terminal;
  terminal.line();
  terminal.line(style.green('✓ The run is complete.'));
  if (typeof values !== 'object' || values === null) return;
  for (const [key, value] of Object.entries(values)) {
    terminal.line(style.bold(`${key}:`));
    terminal.line(indent(shown(key, value)));
  }
}

function shown(key: string, value: unknown): string {
  if (key === 'messages') return bounded(conversation(value));
  return bounded(plain(value), typeof value === 'string' ? MAX_TEXT_CHARS : MAX_JSON_CHARS);
}

function conversation(messages: unknown): string {
  if (!Array.isArray(messages)) return plain(messages);
  return (messages as { type?: string; content?: unknown; tool_calls?: { name: string }[] }[])
    .map(({ type = 'message', content, tool_calls = [] }) => {
      const calls = tool_calls.length > 0 ? ` [calls ${tool_calls.map(({ name }) => name).join(', ')}]` : '';
      return `${type}: ${textOf(content)}${calls}`;
    })
    .join('\n');
}

const plain = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value));

const bounded = (text: string, chars = MAX_TEXT_CHARS): string =>
  text.length <= chars ? text : `${text.slice(0, chars)}\n… ${text.length - chars} more characters`;

const indent = (text: string): string => text.replace(/^/gm, '    ');
