import { aTokenId, START } from '@gatehouse/domain/testing';
import { LAST_INSTANT } from '@gatehouse/domain/time';
import type { TokenId, UsageCounts } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { parseUsageNotification, usageNotifications } from './usage-notification.ts';

const EVERY_REASON = {
  key_retired: 1_000_000,
  revoked: 1_000_000,
  expired: 1_000_000,
  user_disabled: 1_000_000,
  account_suspended: 1_000_000,
  insufficient_scope: 1_000_000,
  not_allowed: 1_000_000,
};

function counts(parts: Partial<UsageCounts> = {}): UsageCounts {
  return { tokenId: aTokenId(), uses: 1, refusals: {}, at: START, ...parts };
}

const read = (payloads: readonly string[]) =>
  payloads.flatMap((payload) => parseUsageNotification(payload) ?? []);

test('no usage makes no notification', () => {
  expect(usageNotifications([])).toEqual([]);
});

test.each([
  ['used', {}],
  ['refused for every reason there is', { uses: 0, refusals: EVERY_REASON }],
])('5,000 tokens that were %s are told in as few notifications as PostgreSQL takes', (_, parts) => {
  const all = Array.from({ length: 5000 }, () => counts(parts));
  const payloads = usageNotifications(all);
  expect(read(payloads)).toEqual(all);
  const sizes = payloads.map((payload) => Buffer.byteLength(payload));
  expect(Math.max(...sizes)).toBeLessThan(7500);
  expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(7000);
});

test('other notifications are not parsed', () => {
  const id: TokenId = aTokenId();
  for (const payload of [
    '',
    'hello',
    'null',
    '{}',
    '{"v":2,"usage":[]}',
    JSON.stringify({ v: 1, usage: [{ id, uses: -1, at: START }] }),
    JSON.stringify({ v: 1, usage: [{ id, uses: 1.5, at: START }] }),
    JSON.stringify({ v: 1, usage: [{ id, uses: 1, at: 'now' }] }),
    JSON.stringify({ v: 1, usage: [{ id, uses: 1, at: START, refusals: { expired: 'often' } }] }),
    JSON.stringify({ v: 1, usage: [{ id, uses: 1, at: START, refusals: { '\u001b[2J': 1 } }] }),
    JSON.stringify({ v: 1, usage: [{ id, uses: 1, at: START, refusals: { ['x'.repeat(65)]: 1 } }] }),
    JSON.stringify({ v: 1, usage: [{ id, uses: 1, at: START, refusals: { constructor: 1 } }] }),
    JSON.stringify({ v: 1, usage: [{ id: 'foo', uses: 1, at: START }] }),
    JSON.stringify({ v: 1, usage: [{ id: '0189ABCD-0000-7000-8000-000000000000', uses: 1, at: START }] }),
    JSON.stringify({ v: 1, usage: [{ id, uses: 1, at: LAST_INSTANT + 1 }] }),
    JSON.stringify({ v: 1, usage: [{ id, uses: 1, at: -1 }] }),
  ]) {
    expect(parseUsageNotification(payload), payload).toBeUndefined();
  }
});

test('an unknown reason of a newer version is passed on', () => {
  const id = aTokenId();
  const payload = JSON.stringify({ v: 1, usage: [{ id, uses: 0, at: START, refusals: { too_late: 2 } }] });
  expect(read([payload])).toEqual([{ tokenId: id, uses: 0, refusals: { too_late: 2 }, at: START }]);
});
