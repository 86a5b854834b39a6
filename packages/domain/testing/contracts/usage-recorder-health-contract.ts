import { describe, expect, onTestFinished, test } from 'vitest';
import type { Instant } from '../../src/time/index.ts';
import type { UsageRecorderHealth } from '../../src/tokens/index.ts';
import { aTokenId, givenAdmin, givenToken } from '../fixtures.ts';
import type { RecordedRepositories } from '../repositories.ts';

interface HealthOfRecorder extends RecordedRepositories {
  readonly usageRecorders: UsageRecorderHealth;
  /** Reads the store's own clock. */
  now(): Promise<Instant>;
  close(): Promise<void>;
}

/** The contract of every UsageRecorderHealth. */
export function usageRecorderHealthContract(name: string, open: () => Promise<HealthOfRecorder>): void {
  async function opened() {
    const store = await open();
    onTestFinished(store.close);
    const user = await givenAdmin(store);
    const { id } = await givenToken(store, user);
    return { ...store, id };
  }

  describe(`${name} keeps the contract of UsageRecorderHealth`, () => {
    test('a recorder that has stored nothing has no entry', async () => {
      const { usage, usageRecorders } = await opened();
      await usage.flush();
      expect(await usageRecorders.list()).toEqual([]);
    });

    test('a recorder has one entry, with the last time it stored, and lags by no more than that took', async () => {
      const { usage, usageRecorders, now, id } = await opened();
      for (const refused of [false, true]) {
        const before = await now();
        if (refused) usage.refused(id, before, 'expired');
        else usage.used(id, before);
        await usage.flush();
        const [entry, ...others] = await usageRecorders.list();
        const after = await now();
        expect(others).toEqual([]);
        expect(entry?.storedAt).toBeGreaterThanOrEqual(before);
        expect(entry?.storedAt).toBeLessThanOrEqual(after);
        expect(entry?.lagMs).toBeGreaterThanOrEqual(0);
        expect(entry?.lagMs).toBeLessThanOrEqual(after - before);
      }
    });

    test('a time in the future is no lag', async () => {
      const { usage, usageRecorders, now, id } = await opened();
      usage.used(id, ((await now()) + 3_600_000) as Instant);
      await usage.flush();
      expect((await usageRecorders.list())[0]?.lagMs).toBe(0);
    });

    test('a recorder is listed even if all of its tokens were deleted', async () => {
      const { usage, usageRecorders, now } = await opened();
      usage.used(aTokenId(), await now());
      await usage.flush();
      expect(await usageRecorders.list()).toHaveLength(1);
    });
  });
}
