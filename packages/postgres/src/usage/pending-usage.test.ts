import { aTokenId, START } from '@gatehouse/domain/testing';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import { expect, test } from 'vitest';
import { PendingUsage } from './pending-usage.ts';

const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);

const ROOM = { left: 0 };

type Recorded = (usage: PendingUsage) => void;

const RECORDED: readonly (readonly [Instant, Recorded])[] = (
  [
    [8, 'revoked'],
    [3, 'revoked'],
    [2],
    [5, 'expired'],
    [4],
    [4],
    [5, 'not_allowed'],
    [1, 'revoked'],
    [6],
    [3],
    [8, 'not_allowed'],
    [9, 'expired'],
  ] as const
).map(([second, reason]) => {
  const moment = at(second);
  return [
    moment,
    (usage) =>
      reason ? usage.refused(moment, reason, undefined, ROOM) : usage.used(moment, undefined, ROOM),
  ];
});

function pending(recorded: readonly (readonly [Instant, Recorded])[]): PendingUsage {
  const usage = new PendingUsage(recorded[0]?.[0] ?? START);
  for (const [, record] of recorded) record(usage);
  return usage;
}

test('pending usage has the last use, the last refusal, and the number of each', () => {
  const id = aTokenId();
  const usage = pending(RECORDED);
  expect(usage.last()).toEqual({ lastUsedAt: at(6), lastRefusal: { at: at(9), reason: 'expired' } });
  expect(usage.counts(id)).toEqual({
    tokenId: id,
    uses: 5,
    refusals: { revoked: 3, expired: 2, not_allowed: 2 },
    at: at(9),
  });
});

test('a token that was only used, or only refused, has only that', () => {
  const id = aTokenId();
  const used = pending([[at(1), (usage) => usage.used(at(1), undefined, ROOM)]]);
  expect(used.last()).toEqual({ lastUsedAt: at(1), lastRefusal: null });
  expect(used.counts(id)).toEqual({ tokenId: id, uses: 1, refusals: {}, at: at(1) });
  const refused = pending([[at(1), (usage) => usage.refused(at(1), 'expired', undefined, ROOM)]]);
  expect(refused.last()).toEqual({ lastUsedAt: null, lastRefusal: { at: at(1), reason: 'expired' } });
  expect(refused.counts(id)).toEqual({ tokenId: id, uses: 0, refusals: { expired: 1 }, at: at(1) });
});

test('failed attempts to store do not change the result', () => {
  const whole = pending(RECORDED);
  for (let length = 1; length < RECORDED.length; length += 1) {
    const since = pending(RECORDED.slice(length));
    since.addEarlier(pending(RECORDED.slice(0, length)), ROOM);
    const id = aTokenId();
    expect([since.last(), since.counts(id)], `after ${length}`).toEqual([whole.last(), whole.counts(id)]);
  }
});

test.each([
  [5, 4, 'expired'],
  [5, 5, 'revoked'],
  [5, 6, 'revoked'],
])('a refusal at %i, then another at %i: %s is the last', (first, second, last) => {
  const lastReasonOf = (usage: PendingUsage) => usage.last().lastRefusal?.reason;
  const [one, other] = [new PendingUsage(at(first)), new PendingUsage(at(second))];
  one.refused(at(first), 'expired', undefined, ROOM);
  other.refused(at(second), 'revoked', undefined, ROOM);
  other.addEarlier(one, ROOM);
  expect(lastReasonOf(other)).toBe(last);
  one.refused(at(second), 'revoked', undefined, ROOM);
  expect(lastReasonOf(one)).toBe(last);
});

test('the earliest moment counts', () => {
  for (const [earlier, since] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const usage = new PendingUsage(at(since));
    usage.addEarlier(new PendingUsage(at(earlier)), ROOM);
    expect(usage.since).toBe(at(1));
  }
});
