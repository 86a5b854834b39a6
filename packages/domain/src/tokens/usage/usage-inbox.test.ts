import { expect, test } from 'vitest';
import { aTokenId, START } from '../../../testing/index.ts';
import { UnavailableFault } from '../../faults.ts';
import { addMilliseconds, type Instant } from '../../time/instant.ts';
import type { RefusalCounts, UsageCounts } from './usage-feed.ts';
import { createUsageInbox } from './usage-inbox.ts';

const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);
const [one, other, third] = [aTokenId(), aTokenId(), aTokenId()];

function counts(tokenId = one, uses = 1, refusals: RefusalCounts = {}, when = at(1)): UsageCounts {
  return { tokenId, uses, refusals, at: when };
}

test.each([
  ['an end', undefined],
  ['a fault', new UnavailableFault('lost')],
])('before %s the reader gets the unread usage, and after it nothing', async (_, fault) => {
  const inbox = createUsageInbox();
  inbox.add([counts()]);
  inbox.end(fault);
  inbox.end(new Error('another'));
  inbox.add([counts(other)]);
  const reader = inbox.read();
  expect((await reader.next()).value).toEqual([counts()]);
  if (fault) await expect(reader.next()).rejects.toBe(fault);
  expect(await reader.next()).toEqual({ done: true, value: undefined });
});

test('a reader that is too slow gets an error and costs no more memory', async () => {
  const inbox = createUsageInbox(2);
  inbox.add([counts(one), counts(other)]);
  inbox.add([counts(one), counts(other)]);
  const reader = inbox.read();
  expect((await reader.next()).value).toEqual([counts(one, 2), counts(other, 2)]);
  inbox.add([counts(one), counts(other), counts(third)]);
  await expect(reader.next()).rejects.toThrow(/too slow/);
});
