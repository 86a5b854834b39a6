import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChangeFeedProbe } from '../../src/health/index.ts';

/** Of a store whose changes are heard, or of one where they never are. */
export type OpenChangeFeedProbe = (sound: boolean) => Promise<{
  readonly probe: ChangeFeedProbe;
  close(): Promise<void>;
}>;

/** What every ChangeFeedProbe must do. */
export function changeFeedProbeContract(name: string, open: OpenChangeFeedProbe): void {
  async function opened(sound: boolean) {
    const { probe, close } = await open(sound);
    onTestFinished(close);
    return probe;
  }

  describe(`${name} keeps the contract of ChangeFeedProbe`, () => {
    test('a feed that hears is trusted, each time it is tried', async () => {
      const probe = await opened(true);
      expect(await probe.try()).toEqual({ trusted: true });
      expect(await probe.try()).toEqual({ trusted: true });
    });

    test('one that hears nothing is not, and it is said why', async () => {
      const probe = await opened(false);
      expect(await probe.try()).toEqual({ trusted: false, reason: expect.stringMatching(/\w+ \w+/) });
    });
  });
}
