import { describe, expect, test } from 'vitest';
import { addMilliseconds, type Instant, LAST_INSTANT } from '../../src/time/index.ts';
import { NOT_USED_ANYWHERE } from '../../src/tokens/index.ts';
import { aTokenId, START } from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openWithTokens } from './open-with-tokens.ts';

/** The part of the contracts of UsageRecorder and TokenRepository that keeps, reads and forgets addresses of use. */
export function usageAddressesContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  const DAY_MS = 86_400_000;
  const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);
  const day = (days: number): Instant => addMilliseconds(START, DAY_MS * days);
  const ip = (number: number) => `10.0.0.${number}`;
  const addressesOf = (seen: readonly { readonly address: string }[]) => seen.map(({ address }) => address);

  async function opened(tokenCount = 1) {
    const store = await openWithTokens(open, tokenCount);
    return { ...store, usageOf: async (id = store.id) => store.tokens.findUsage(id) };
  }

  describe(`${name} keeps the contract of addresses of use`, () => {
    test('a token that was never used, or is unknown, has none', async () => {
      const { usageOf } = await opened();
      expect(await usageOf()).toEqual(NOT_USED_ANYWHERE);
      expect(await usageOf(aTokenId())).toEqual(NOT_USED_ANYWHERE);
      expect(await usageOf()).toSatisfy(isDeeplyFrozen);
    });

    test.each([true, false])(
      'each has its first and last time and its count, newest first (stored in between: %j)',
      async (flushes) => {
        const { usage, id, usageOf } = await opened();
        usage.used(id, at(2), ip(1));
        usage.used(id, at(3), ip(2));
        usage.refused(id, at(3), 'expired', ip(1));
        if (flushes) await usage.flush();
        usage.used(id, at(4), ip(1));
        usage.used(id, at(1), ip(1));
        usage.refused(id, at(4), 'revoked', ip(1));
        usage.refused(id, at(2), 'expired', ip(1));
        await usage.flush();
        const stored = await usageOf();
        expect(stored).toEqual({
          ...NOT_USED_ANYWHERE,
          lastUsedAt: at(4),
          lastUsedFrom: ip(1),
          lastRefusal: { at: at(4), reason: 'revoked', from: ip(1) },
          usedFrom: [
            { address: ip(1), firstAt: at(1), lastAt: at(4), times: 3 },
            { address: ip(2), firstAt: at(3), lastAt: at(3), times: 1 },
          ],
          refusedFrom: [{ address: ip(1), firstAt: at(2), lastAt: at(4), times: 3, reason: 'revoked' }],
        });
        expect(stored).toSatisfy(isDeeplyFrozen);
      },
    );

    test.each([true, false])(
      'the last five of uses and of refusals are kept (stored in between: %j)',
      async (flushes) => {
        const { usage, id, usageOf } = await opened();
        for (let second = 1; second <= 12; second += 1) {
          usage.used(id, at(second), ip(second));
          usage.refused(id, at(second), 'expired', ip(100 + second));
          if (flushes) await usage.flush();
        }
        await usage.flush();
        const { usedFrom, refusedFrom } = await usageOf();
        expect(addressesOf(usedFrom)).toEqual([12, 11, 10, 9, 8].map(ip));
        expect(addressesOf(refusedFrom)).toEqual([112, 111, 110, 109, 108].map(ip));
      },
    );

    test('an older address does not replace newer ones', async () => {
      const { usage, id, usageOf } = await opened();
      for (let second = 11; second <= 15; second += 1) usage.used(id, at(second), ip(second));
      usage.used(id, at(1), ip(1));
      await usage.flush();
      usage.used(id, at(2), ip(2));
      await usage.flush();
      expect(addressesOf((await usageOf()).usedFrom)).toEqual([15, 14, 13, 12, 11].map(ip));
    });

    test('tokens are found and listed with the address of the last use and the last refusal', async () => {
      const { usage, tokens, id, ids } = await opened(2);
      for (const each of ids) usage.used(each, at(1), ip(1));
      usage.refused(id, at(2), 'expired', ip(2));
      await usage.flush();
      const found = await tokens.find(id);
      expect(found?.usage).toEqual({
        lastUsedAt: at(1),
        lastUsedFrom: ip(1),
        lastRefusal: { at: at(2), reason: 'expired', from: ip(2) },
      });
      expect(await tokens.list({ now: START, limit: 1 })).toEqual([found]);
    });

    test.each([undefined, ''])(
      'an address that is not known (%j) is not replaced by an earlier one',
      async (from) => {
        const { usage, id, usageOf } = await opened();
        usage.used(id, at(1), ip(1));
        usage.refused(id, at(1), 'expired', ip(1));
        usage.used(id, at(2), from);
        usage.refused(id, at(2), 'expired', from);
        await usage.flush();
        const { lastUsedFrom, lastRefusal, usedFrom } = await usageOf();
        expect([lastUsedFrom, lastRefusal]).toEqual([null, { at: at(2), reason: 'expired', from: null }]);
        expect(addressesOf(usedFrom)).toEqual([ip(1)]);
      },
    );

    test('those that were last seen before a day are forgotten, and no others', async () => {
      const { usage, tokens, ids, usageOf } = await opened(3);
      const [mixed = aTokenId(), old = aTokenId(), recent = aTokenId()] = ids;
      for (const id of [mixed, old]) usage.used(id, addMilliseconds(day(10), -1), ip(1));
      usage.refused(mixed, day(9), 'expired', ip(1));
      for (const id of [mixed, recent]) usage.used(id, day(10), ip(2));
      await usage.flush();
      const before = addMilliseconds(day(11), -1);
      expect(await tokens.forgetAddresses({ before, limit: 10 })).toBe(2);
      const stored = await usageOf(mixed);
      expect([addressesOf(stored.usedFrom), stored.refusedFrom]).toEqual([[ip(2)], []]);
      expect(stored).toMatchObject({ lastUsedFrom: ip(2), lastRefusal: { at: day(9), from: null } });
      expect(await usageOf(old)).toEqual({ ...NOT_USED_ANYWHERE, lastUsedAt: addMilliseconds(day(10), -1) });
      expect(addressesOf((await usageOf(recent)).usedFrom)).toEqual([ip(2)]);
      expect(await tokens.forgetAddresses({ before, limit: 10 })).toBe(0);
    });

    test('all are forgotten in batches, and times and reasons stay', async () => {
      const { usage, tokens, ids, usageOf } = await opened(3);
      for (const id of ids) usage.refused(id, at(1), 'expired', ip(1));
      await usage.flush();
      const forget = () => tokens.forgetAddresses({ before: LAST_INSTANT, limit: 2 });
      expect([await forget(), await forget(), await forget()]).toEqual([2, 1, 0]);
      const refused = { ...NOT_USED_ANYWHERE, lastRefusal: { at: at(1), reason: 'expired', from: null } };
      for (const id of ids) expect(await usageOf(id)).toEqual(refused);
    });
  });
}
