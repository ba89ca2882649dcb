import { describe, expect, it } from '@jest/globals';
import { RunPrinter } from '../../../processes/commands/run-printer.js';
import { createTerminal } from '../../../processes/commands/terminal.js';

function print(...events: readonly (readonly [event: string, data: unknown])[]): string {
  let text = '';
  const output = { write: (part: string) => (text += part), columns: 80 };
  const printer = new RunPrinter(createTerminal(output, output));
  for (const [event, data] of events) printer.print({ event, data });
  printer.end();
  return text;
}
const start = (id: string, name: string) => ['tasks', { id, name, triggers: ['x'] }] as const;
const end = (id: string, name: string, result: unknown = {}) =>
  ['tasks', { id, name, result, interrupts: [] }] as const;
const token = (task: string, node: string, content: string, more: object = {}) =>
  [
    'messages',
    [
      { id: `m-${task}`, type: 'ai', content, tool_call_chunks: [], ...more },
      { langgraph_node: node, langgraph_checkpoint_ns: `${node}:${task}` },
    ],
  ] as const;

describe('a run on a terminal', () => {
  it('shows nodes, tokens as they come, and what a node wrote', () => {
    const text = print(
      start('1', 'write'),
      token('1', 'write', 'Hello '),
      token('1', 'write', 'there.'),
      end('1', 'write', { n: 1 }),
    );
    expect(text).toBe('● write\n  write says:\n  Hello there.\n✓ write {"n":1}\n');
  });

  it('says what a failed node threw', () => {
    const failed = { id: '1', name: 'write', error: { name: 'TypeError', message: 'no paper' }, interrupts: [] };
    expect(print(start('1', 'write'), ['tasks', failed])).toBe('● write\n✗ write: no paper\n');
  });

  it('lets one of two nodes speak at a time, and leaves nothing out', () => {
    const text = print(
      start('1', 'a'),
      start('2', 'b'),
      token('1', 'a', 'one '),
      token('2', 'b', 'uno '),
      token('1', 'a', 'two'),
      token('2', 'b', 'due'),
      end('1', 'a'),
      end('2', 'b'),
    );
    expect(text).toBe('● a\n● b\n  a says:\n  one two\n  b says:\n  uno due\n✓ a\n✓ b\n');
  });

  it('does not repeat a whole message that follows its own tokens', () => {
    const whole = [
      'messages',
      [
        { id: 'm-1', type: 'ai', content: 'Hi' },
        { langgraph_checkpoint_ns: 'a:1', langgraph_node: 'a' },
      ],
    ] as const;
    expect(print(token('1', 'a', 'Hi'), whole, end('1', 'a'))).toBe('  a says:\n  Hi\n✓ a\n');
  });

  it('puts tool calls together from their parts', () => {
    const part = (args: string, name?: string) => token('1', 'a', '', { tool_call_chunks: [{ index: 0, args, name }] });
    expect(print(part('{"pa', 'delete'), part('th":1}'), end('1', 'a'))).toBe('  → delete {"path":1}\n✓ a\n');
  });

  it('says that a step was begun anew', () => {
    expect(print(['metadata', { attempt: 1 }], ['metadata', { attempt: 2 }])).toContain('attempt 2');
  });

  it('has no colour where nobody sees it', () => {
    expect(print(start('1', 'a'))).not.toContain('\u001b');
  });
});
