import { expect, test } from 'vitest';
import { aTokenId, START } from '../../../testing/index.ts';
import { addMilliseconds, type Instant } from '../../time/instant.ts';
import { UnavailableFault } from '../../unavailable-fault.ts';
import type { RefusalCounts, UsageCounts } from './usage-feed.ts';
import { createUsageInbox } from './usage-inbox.ts';

const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);
const [one, other, third] = [aTokenId(), aTokenId(), aTokenId()];

function counts(tokenId = one, uses = 1, refusals: RefusalCounts = {}, when = at(1)): UsageCounts {
  return { tokenId, uses, refusals, at: when };
}

test('a waiting reader gets usage as it arrives', async () => {
  const inbox = createUsageInbox();
  const reader = inbox.read();
  for (const uses of [1, 2, 3]) {
    const reading = reader.next();
    inbox.add([counts(one, uses), counts(other, uses)]);
    expect((await reading).value).toEqual([counts(one, uses), counts(other, uses)]);
  }
});

test('unread usage of one token is added up', async () => {
  const inbox = createUsageInbox();
  inbox.add([counts(one, 2, { expired: 1, revoked: 1 }, at(5)), counts(other)]);
  inbox.add([counts(one, 3, { expired: 2 }, at(4))]);
  inbox.add([counts(one, 0, { not_allowed: 7 }, at(3))]);
  expect((await inbox.read().next()).value).toEqual([
    counts(one, 5, { expired: 3, revoked: 1, not_allowed: 7 }, at(5)),
    counts(other),
  ]);
});

test('usage that was read is not delivered again', async () => {
  const inbox = createUsageInbox();
  const reader = inbox.read();
  inbox.add([counts()]);
  await reader.next();
  inbox.add([counts(one, 4)]);
  expect((await reader.next()).value).toEqual([counts(one, 4)]);
});

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
