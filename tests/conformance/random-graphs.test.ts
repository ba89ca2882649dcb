// Graphs made at random, by a seed, and run step by step through both libraries. `CONFORMANCE_SEED` and
// `CONFORMANCE_GRAPHS` run others, and more; `CONFORMANCE_PLAN` (a file) runs one counterexample again.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { test } from '@jest/globals';
import { ours, reference } from './library.js';
import { plan } from './random/arbitrary-plan.js';
import { describePlan } from './random/describe-plan.js';
import { firstDifference } from './random/first-difference.js';
import type { Plan } from './random/plan.js';
import { comparable } from './random/record.js';
import { runPlan } from './random/run-plan.js';

const SEED = Number(process.env.CONFORMANCE_SEED ?? 20_240_601);
const GRAPHS = Number(process.env.CONFORMANCE_GRAPHS ?? 300);
const PLAN = process.env.CONFORMANCE_PLAN;

async function compare(made: Plan): Promise<void> {
  const theirs = await runPlan(reference, made);
  const { expected, received } = comparable(theirs, await runPlan(ours, made));
  const difference = firstDifference(expected, received);
  if (difference !== undefined) throw new Error(difference);
}

const onePlan = PLAN === undefined ? undefined : (JSON.parse(readFileSync(PLAN, 'utf8')) as Plan);

test(`${GRAPHS} random graphs behave alike (seed ${SEED})`, async () => {
  if (onePlan) return compare(onePlan);
  const { failed, counterexample, errorInstance } = await fc.check(fc.asyncProperty(plan, compare), {
    seed: SEED,
    numRuns: GRAPHS,
  });
  if (!failed) return;
  const [smallest] = counterexample ?? [];
  const cause = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(`The libraries differ on this plan:\n${smallest ? describePlan(smallest) : ''}\n\n${cause}`);
}, 600_000);
