import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChangeFeedProbe } from '../../src/health/index.ts';

/** Opens a probe of a store whose changes are delivered, or of one where they never are. */
type OpenChangeFeedProbe = (sound: boolean) => Promise<{
  readonly probe: ChangeFeedProbe;
  close(): Promise<void>;
}>;

/** The contract of every ChangeFeedProbe. */
export function changeFeedProbeContract(name: string, open: OpenChangeFeedProbe): void {
  async function opened(sound: boolean) {
    const { probe, close } = await open(sound);
    onTestFinished(close);
    return probe;
  }

  describe(`${name} keeps the contract of ChangeFeedProbe`, () => {
    test('a working feed is trusted, each time it is tried', async () => {
      const probe = await opened(true);
      expect(await probe.try()).toEqual({ trusted: true });
      expect(await probe.try()).toEqual({ trusted: true });
    });

    test('a feed that receives nothing is not trusted, and the reason is given', async () => {
      const probe = await opened(false);
      expect(await probe.try()).toEqual({ trusted: false, reason: expect.stringMatching(/\w+ \w+/) });
    });
  });
}
