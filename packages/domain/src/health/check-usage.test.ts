import { beforeEach, describe, expect, test } from 'vitest';
import { createInMemoryStoreProbe, type World } from '../../testing/index.ts';
import { checkIn, createInstallation, DAY, findingsIn, NOW, outcomeIn } from '../../testing/installation.ts';
import { addMilliseconds } from '../time/instant.ts';
import type { UsageRecorderLag } from '../tokens/usage/token-usage.ts';

describe('checkHealth', () => {
  let world: World;

  beforeEach(async () => {
    ({ world } = await createInstallation());
  });

  describe('usage', () => {
    const recordersWith = (...lags: readonly UsageRecorderLag[]) => ({ list: async () => lags });

    test('that no recorder stored is a remark and not a finding', async () => {
      expect(outcomeIn(await checkIn(world), 'usage')).toEqual({ status: 'passed', remark: 'no_usage' });
      const inTime = { storedAt: NOW, lagMs: 2000 };
      expect(outcomeIn(await checkIn(world, { usageRecorders: recordersWith(inTime) }), 'usage')).toEqual({
        status: 'passed',
      });
    });

    test.each([
      [0, 2000, false],
      [0, 2001, true],
      [60_000, 2001, true],
      [60_001, 90_000, false],
    ])('stored %i ms ago, %i ms late: found %s', async (ago, lagMs, isFound) => {
      const lag = { storedAt: addMilliseconds(NOW, -ago), lagMs };
      expect(await findingsIn(world, { usageRecorders: recordersWith(lag) })).toEqual(
        isFound ? [{ code: 'usage_behind', ...lag }] : [],
      );
    });

    test('is late by the database’s clock, regardless of this machine’s', async () => {
      const now = async () => addMilliseconds(NOW, -DAY);
      const storeProbe = { ...createInMemoryStoreProbe(world.clock), now };
      const lag = { storedAt: addMilliseconds(NOW, -DAY), lagMs: 5000 };
      expect(await findingsIn(world, { storeProbe, usageRecorders: recordersWith(lag) })).toEqual([
        { code: 'clock_skewed', skewMs: DAY },
        { code: 'usage_behind', ...lag },
      ]);
    });

    test('that several recorders store late is a finding for each', async () => {
      const late = { storedAt: NOW, lagMs: 9000 };
      const lags = recordersWith(late, { storedAt: NOW, lagMs: 1 }, { ...late, lagMs: 3000 });
      expect(await findingsIn(world, { usageRecorders: lags })).toMatchObject([
        { lagMs: 9000 },
        { lagMs: 3000 },
      ]);
    });
  });
});
