import { describe, expect, onTestFinished, test } from 'vitest';
import type { SchemaState, StoreProbe } from '../../src/health/index.ts';

/** Opens a store in this state; `letTimePass` resolves once its clock has advanced. */
type OpenProbedStore = (state: SchemaState) => Promise<{
  readonly probe: StoreProbe;
  letTimePass(): Promise<void>;
  close(): Promise<void>;
}>;

/** The contract of every StoreProbe. */
export function storeProbeContract(name: string, open: OpenProbedStore): void {
  async function opened(state: SchemaState) {
    const store = await open(state);
    onTestFinished(store.close);
    return store;
  }

  describe(`${name} keeps the contract of StoreProbe`, () => {
    test.each(['current', 'behind', 'ahead'] as const)('a schema that is %s is said to be', async (state) => {
      const { probe } = await opened(state);
      expect(await probe.schemaState()).toBe(state);
    });

    test('the time is read on each call, in whole milliseconds, whatever the schema', async () => {
      const { probe, letTimePass } = await opened('behind');
      const first = await probe.now();
      expect(Number.isSafeInteger(first)).toBe(true);
      await letTimePass();
      expect(await probe.now()).toBeGreaterThan(first);
    });
  });
}
