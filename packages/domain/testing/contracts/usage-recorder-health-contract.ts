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

    test('a recorder that has stored usage has an entry with the time', async () => {
      const { usage, usageRecorders, now, id } = await opened();
      const before = await now();
      usage.used(id, before);
      await usage.flush();
      const [entry, ...others] = await usageRecorders.list();
      expect(others).toEqual([]);
      expect(entry?.storedAt).toBeGreaterThanOrEqual(before);
      expect(entry?.storedAt).toBeLessThanOrEqual(await now());
    });

    test('a recorder has one entry, for the last time it stored', async () => {
      const { usage, usageRecorders, now, id } = await opened();
      usage.used(id, await now());
      await usage.flush();
      const before = await now();
      usage.refused(id, before, 'expired');
      await usage.flush();
      const entries = await usageRecorders.list();
      expect(entries).toHaveLength(1);
      expect(entries[0]?.storedAt).toBeGreaterThanOrEqual(before);
    });

    test('a recorder that keeps up lags by no more than it took to store', async () => {
      const { usage, usageRecorders, now, id } = await opened();
      const before = await now();
      usage.used(id, before);
      await usage.flush();
      const [entry] = await usageRecorders.list();
      expect(entry?.lagMs).toBeGreaterThanOrEqual(0);
      expect(entry?.lagMs).toBeLessThanOrEqual((await now()) - before);
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
