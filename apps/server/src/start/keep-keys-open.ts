import type { ChangeFeed } from '@gatehouse/domain/changes';
import { checkMasterKey } from '@gatehouse/domain/signing-keys';
import type { Log } from '../logging/line-kind.ts';

interface KeepKeysOpenOptions {
  readonly feed: Pick<ChangeFeed, 'subscribe'>;
  readonly ports: Parameters<typeof checkMasterKey>[0];
  readonly log: Log;
}

/**
 * Decrypts staged and active signing keys now, and again when a key changes. So a key that is created while this process
 * runs is open before the master key is replaced. If the master key of this process no longer decrypts the keys, this is
 * logged once.
 *
 * @returns resolves after the first check. Rejects if that cannot read the database
 */
export async function keepKeysOpen({ feed, ports, log }: KeepKeysOpenOptions): Promise<void> {
  let isReported = false;
  let isChecking = false;
  let hasChanged = false;

  async function check(): Promise<void> {
    const { ok } = await checkMasterKey(ports);
    if (!ok && !isReported) {
      log.error(
        { kind: 'master_key_replaced' },
        'the master key no longer decrypts the signing keys, so this process signs only with keys that it opened before: restart the server with the current one',
      );
    }
    isReported = !ok;
  }

  async function checkAgain(): Promise<void> {
    hasChanged = true;
    if (isChecking) return;
    isChecking = true;
    while (hasChanged) {
      hasChanged = false;
      // Without a database, the next connection of the feed reports that everything may have changed.
      await check().catch(() => {});
    }
    isChecking = false;
  }

  feed.subscribe(({ kind }) => {
    if (kind === 'key' || kind === 'everything') void checkAgain();
  });
  await check();
}
