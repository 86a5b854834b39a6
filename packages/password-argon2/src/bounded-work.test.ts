import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { boundWork } from './bounded-work.ts';

describe('Bounded work', () => {
  it.each([
    { concurrency: 1, queueLimit: 0 },
    { concurrency: 1, queueLimit: 5 },
    { concurrency: 3, queueLimit: 4 },
  ])('never runs more than $concurrency tasks at once, nor queues more than $queueLimit', async (limits) => {
    const { run } = boundWork(limits);
    let underWay = 0;
    let most = 0;
    const work = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await setImmediate();
      underWay -= 1;
    };
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => run(work)));
      expect(answers.map((answer) => answer.ok)).toEqual(
        answers.map((_, index) => index < limits.concurrency + limits.queueLimit),
      );
    }
    expect(most).toBe(limits.concurrency);
  });

  it('refuses at once, without waiting for active tasks', async () => {
    const { run } = boundWork({ concurrency: 1, queueLimit: 0 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = run(() => promise);
    expect(await run(async () => 'second')).toEqual({ ok: false, error: { code: 'hashing_busy' } });
    resolve('first');
    expect(await first).toEqual({ ok: true, value: 'first' });
  });

  it('frees the slot of a failed task, and passes the failure on', async () => {
    const { run } = boundWork({ concurrency: 1, queueLimit: 1 });
    const failing = () => run(() => Promise.reject(new Error('broken')));
    for (let round = 0; round < 3; round += 1) {
      const outcomes = await Promise.allSettled([failing(), failing()]);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    }
    expect(await run(async () => 'done')).toEqual({ ok: true, value: 'done' });
  });
});
