import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { boundWork } from './bounded-work.ts';

describe('Bounded work', () => {
  it.each([
    { concurrency: 1, queueLimit: 0 },
    { concurrency: 1, queueLimit: 5 },
    { concurrency: 3, queueLimit: 4 },
  ])('never does more than $concurrency at once, nor keeps more than $queueLimit waiting', async (limits) => {
    const bounded = boundWork(limits);
    let underWay = 0;
    let most = 0;
    const work = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await setImmediate();
      underWay -= 1;
    };
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => bounded(work)));
      expect(answers.map((answer) => answer.ok)).toEqual(
        answers.map((_, index) => index < limits.concurrency + limits.queueLimit),
      );
    }
    expect(most).toBe(limits.concurrency);
  });

  it('refuses at once, without waiting for what is under way', async () => {
    const bounded = boundWork({ concurrency: 1, queueLimit: 0 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = bounded(() => promise);
    expect(await bounded(async () => 'second')).toEqual({ ok: false, error: { code: 'hashing_busy' } });
    resolve('first');
    expect(await first).toEqual({ ok: true, value: 'first' });
  });

  it('begins what waits in the order in which it came', async () => {
    const bounded = boundWork({ concurrency: 1, queueLimit: 3 });
    const begun: number[] = [];
    await Promise.all([1, 2, 3, 4].map((number) => bounded(async () => begun.push(number))));
    expect(begun).toEqual([1, 2, 3, 4]);
  });

  it('makes room when work fails, and lets the failure through', async () => {
    const bounded = boundWork({ concurrency: 1, queueLimit: 1 });
    const failing = () => bounded(() => Promise.reject(new Error('broken')));
    for (let round = 0; round < 3; round += 1) {
      const outcomes = await Promise.allSettled([failing(), failing()]);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    }
    expect(await bounded(async () => 'done')).toEqual({ ok: true, value: 'done' });
  });
});
