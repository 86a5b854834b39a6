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
});
