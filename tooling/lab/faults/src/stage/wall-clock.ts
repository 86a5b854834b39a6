import { spawnSync } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The library that faketime preloads; empty if faketime is not installed. */
const LIBRARY =
  spawnSync('faketime', ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD']).stdout?.toString().trim() ?? '';

export const hasFaketime = LIBRARY !== '';

/** The wall clock of a process, which can be set to an offset from the real one while the process runs. */
export async function openWallClock(fromMs: number) {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-clock-'));
  const file = join(folder, 'offset');
  const set = async (wanted: number) => {
    // Every reading of the clock reads the file, so it must always exist and be complete.
    await writeFile(`${file}.new`, `${wanted < 0 ? '-' : '+'}${Math.abs(wanted) / 1000}\n`);
    await rename(`${file}.new`, file);
  };
  await set(fromMs);
  return {
    /** The environment for the process. */
    settings: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // No machine can set the monotonic clock, so faketime leaves it alone.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    /** Takes an offset in milliseconds. */
    set,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
