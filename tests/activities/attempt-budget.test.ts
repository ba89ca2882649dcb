import { describe, expect, test } from '@jest/globals';
import { AttemptBudget, lostBefore } from '../../activities/attempt-budget.js';
import type { AttemptLedger, Run } from '../../storage/records.js';

const STEP = 4;

/** The row's ledger; `away`: Postgres cannot be reached. */
class Ledger {
  away = false;
  ledger: AttemptLedger = { step: STEP, opened: [], closed: [], nodeFailures: {} };

  readonly openAttempt = async (_runId: string, { attempt }: { readonly attempt: number }) => {
    this.ledger = { ...this.ledger, opened: [...this.ledger.opened, attempt] };
    return this.ledger;
  };
  readonly closeAttempt = async (_runId: string, { attempt }: { readonly attempt: number }) => {
    if (this.away) throw new Error('connect ECONNREFUSED');
    this.ledger = { ...this.ledger, closed: [...this.ledger.closed, attempt] };
    return this.ledger;
  };
}

const run = { runId: 'run', attempts: null } as Run;
const at = (attempt: number) => ({ step: STEP, attempt });

describe('the budget of two attempts', () => {
  test('allows a second attempt after a lost one, and no third after two', async () => {
    const budget = new AttemptBudget(new Ledger(), 2);
    await budget.open(run, at(1), ['research']);
    await budget.open(run, at(2), ['research']);
    await expect(budget.open(run, at(3), ['research'])).rejects.toThrow(/Node "research" was given up.*lost 2 times/);
  });

  test('is not used up by attempts that ended by an exception of ours', async () => {
    const budget = new AttemptBudget(new Ledger(), 2);
    for (let attempt = 1; attempt < 20; attempt += 1) {
      await budget.open(run, at(attempt), ['research']);
      await budget.close('run', at(attempt));
    }
    await budget.open(run, at(20), ['research']);
    await budget.open(run, at(21), ['research']);
    await expect(budget.open(run, at(22), ['research'])).rejects.toThrow(/lost 2 times/);
  });

  test('remembers a closing that could not be written', async () => {
    const ledger = new Ledger();
    const budget = new AttemptBudget(ledger, 1);
    ledger.away = true;
    await budget.close('run', at(1));
    ledger.away = false;
    await budget.open(run, at(2), ['research']);
    expect(ledger.ledger.closed).toEqual([1]);
  });
});

test('the present attempt and later ones are not lost', () => {
  expect(lostBefore(1, undefined)).toBe(0);
  expect(lostBefore(2, undefined)).toBe(1);
  expect(lostBefore(3, { opened: [2, 3], closed: [1] })).toBe(1);
});
