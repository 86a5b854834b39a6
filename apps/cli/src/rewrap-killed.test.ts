import { watch } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startCli } from '../testing/process.ts';
import { aDataFolderWithKeys, rewrapped } from '../testing/rewrapping.ts';

test('killed at any point, a rewrap leaves a master key that decrypts the keys, and running it again completes it', async () => {
  const { dataDir, settings, startsWell, masterKeys, stored, kept } = await aDataFolderWithKeys();
  let before = await stored();
  const everInUse = new Set([before]);
  const seen = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    const { child, ended } = startCli(settings, ['key', 'rewrap']);
    ended.catch(() => undefined);
    // Most of its time passes before it does anything, so later rounds count from then on, or kill it at once.
    if (round >= 5) await theNextMasterKeyComesOrGoes(dataDir, ended);
    if (round < 5 || round % 2 === 0) await delay(Math.random() * (round < 5 ? 600 : 25));
    child.kill('SIGKILL');
    await ended.catch(() => undefined);

    expect(await startsWell(), `round ${round}`).toBe(true);
    const now = await stored();
    seen.add(`${(await masterKeys()).length} ${now === before ? 'old' : 'new'}`);
    before = now;
    everInUse.add(now);
    const left = await kept();
    expect(new Set(left), `round ${round}`).toEqual(everInUse);
    // However often it is repeated, each old key is kept once, beside the one in use.
    expect(left.length - everInUse.size, `round ${round}`).toBeLessThanOrEqual(1);
  }
  // Some were killed while the next master key was stored, and some after it was in use.
  expect(seen.has('2 old')).toBe(true);
  expect(await rewrapped(settings)).toMatchObject({ rewrapped: expect.any(Number) });
  expect([await startsWell(), await masterKeys()]).toEqual([true, ['master.key']]);
}, 120_000);

/** Also resolves if the program ends. */
async function theNextMasterKeyComesOrGoes(folder: string, ended: Promise<unknown>): Promise<void> {
  const watcher = watch(folder);
  const changed = new Promise<void>((resolve) => {
    watcher.on('change', (_, name) => name === 'master.key.new' && resolve());
  });
  await Promise.race([changed, ended.catch(() => undefined)]);
  watcher.close();
}
