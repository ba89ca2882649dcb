// What `Annotation` infers.
import type { BaseMessage } from '@langchain/core/messages';
import { Annotation, MessagesAnnotation, Overwrite, type OverwriteValue } from 'superstep';
import { expectType } from './expect-type.js';

const State = Annotation.Root({
  plain: Annotation<string>(),
  optional: Annotation<number | undefined>(),
  list: Annotation<string[], string | string[]>({ reducer: (list, entry) => list.concat(entry), default: () => [] }),
  sum: Annotation<number>({ reducer: (a, b) => a + b }),
  old: Annotation<number>({ value: (a, b) => a + b, default: () => 0 }),
  none: Annotation<boolean>(null),
});

expectType<'plain' | 'optional' | 'list' | 'sum' | 'old' | 'none'>()({} as keyof typeof State.spec);

declare const state: typeof State.State;
declare const update: typeof State.Update;

expectType<string>()(state.plain);
expectType<number | undefined>()(state.optional);
expectType<string[]>()(state.list);
expectType<number>()(state.sum);
expectType<string | undefined>()(update.plain);
expectType<string | string[] | OverwriteValue<string[]> | undefined>()(update.list);

const updates: (typeof State.Update)[] = [
  {},
  { plain: 'x' },
  { list: 'one' },
  { list: ['several'] },
  { list: new Overwrite(['all']) },
  // @ts-expect-error another type
  { plain: 1 },
  // @ts-expect-error the reducer takes no numbers
  { list: 1 },
  // @ts-expect-error an overwrite is of the value's type
  { list: new Overwrite('one') },
  // @ts-expect-error an unknown key
  { unknown: 1 },
];
void [State, updates];

declare const node: typeof State.Node;
void node;

expectType<BaseMessage[]>()({} as (typeof MessagesAnnotation.State)['messages']);
const messages: (typeof MessagesAnnotation.Update)[] = [
  { messages: 'text' },
  { messages: [{ role: 'user', content: 'x' }] },
  { messages: ['user', 'x'] },
  // @ts-expect-error no message
  { messages: 7 },
];
void messages;

const Larger = Annotation.Root({ ...MessagesAnnotation.spec, turns: Annotation<number>() });
void Larger;
expectType<{ messages: BaseMessage[]; turns: number }>()({} as typeof Larger.State);

// @ts-expect-error the reducer returns another type than the value's
Annotation<number>({ reducer: () => 'text' });
