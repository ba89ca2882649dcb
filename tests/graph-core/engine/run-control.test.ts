import { expect, test } from '@jest/globals';
import { runSuperstep } from '../../../graph-core/engine/superstep.js';
import { isGraphDrained, RunControl } from '../../../graph-core/index.js';
import { graphOf, options, PlayedPorts, recovered, started, valuesOf } from './hand-built-graph.js';

const drained = (): RunControl => {
  const control = new RunControl();
  control.requestDrain('now');
  return control;
};

test('a superstep that is asked to drain does nothing, and can be run later', async () => {
  let runs = 0;
  const graph = graphOf({ a: { run: () => ({ log: [`run ${(runs += 1)}`] }) } }, ['a']);
  const from = await started(graph);
  const ports = Object.assign(new PlayedPorts(), { control: drained() });
  const error = await runSuperstep(graph, from, options(), ports).catch((thrown: unknown) => thrown);
  expect(isGraphDrained(error)).toBe(true);
  expect(error).toMatchObject({ reason: 'now', message: 'Graph drained: now' });
  expect(ports.saved).toEqual([]);
  expect(valuesOf(await runSuperstep(graph, from, options(), new PlayedPorts()))).toMatchObject({ log: ['run 1'] });
});

test('a superstep whose tasks have all finished is completed', async () => {
  const graph = graphOf({ a: { run: () => ({ log: ['a'] }) }, b: { run: () => ({ log: ['b'] }) } }, ['a', 'b']);
  const from = await started(graph);
  const dying = new PlayedPorts();
  await runSuperstep(graph, from, options(), dying);
  const ports = Object.assign(new PlayedPorts(), { control: drained() });
  const outcome = await runSuperstep(graph, recovered(from, dying), options(), ports);
  expect(valuesOf(outcome)).toMatchObject({ log: ['a', 'b'] });
});
