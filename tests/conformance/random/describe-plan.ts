// A counterexample as data: one line for each node and step, without what is as usual.
import type { GraphPlan, Plan } from './plan.js';

/** Valid JSON: `JSON.parse` of it is the plan again. */
export function describePlan(plan: Plan): string {
  const { graphs, steps, ...rest } = plan;
  const lines = (items: readonly unknown[], indent: string) =>
    `[\n${items.map((item) => `${indent}  ${JSON.stringify(item)}`).join(',\n')}\n${indent}]`;
  const graph = ({ nodes, ...shape }: GraphPlan) =>
    `    {${JSON.stringify(shape).slice(1, -1)},\n     "nodes": ${lines(nodes, '     ')}}`;
  return `{${JSON.stringify(rest).slice(1, -1)},
  "graphs": [
${graphs.map(graph).join(',\n')}
  ],
  "steps": ${lines(steps, '  ')}}`;
}
