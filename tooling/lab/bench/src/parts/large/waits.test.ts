import { expect, it } from 'vitest';
import { waitsOf } from './waits.ts';

it('asks for the items in turn until it is over, and says what was wrong', async () => {
  const over = new AbortController();
  const asked: number[] = [];
  const { delaysMs, failures } = await waitsOf(
    { count: 1, pauseMs: 0, over: over.signal },
    [1, 2, 3],
    async (item) => {
      asked.push(item);
      if (asked.length === 5) over.abort();
      if (item === 3) throw new Error('refused');
      return item === 2 ? 'status 503' : undefined;
    },
  );
  expect(asked).toEqual([1, 2, 3, 1, 2]);
  expect(delaysMs).toHaveLength(5);
  expect(failures).toEqual(new Map(Object.entries({ 'status 503': 2, 'Error: refused': 1 })));
});
