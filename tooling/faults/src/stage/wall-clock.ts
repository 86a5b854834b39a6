import { spawnSync } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from './node.ts';

/** What faketime puts before a process's own clock; empty where it is not installed. */
const LIBRARY =
  spawnSync('faketime', ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD']).stdout?.toString().trim() ?? '';

export const hasFaketime = LIBRARY !== '';

/** The wall clock of a process, which someone sets while the process runs. */
export interface WallClock extends AsyncDisposable {
  /** For the process that is to have it. */
  readonly settings: Settings;
  /** How far it is from the real one, in milliseconds. */
  readonly offsetMs: number;
  set(offsetMs: number): Promise<void>;
}

export async function openWallClock(fromMs: number): Promise<WallClock> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-clock-'));
  const file = join(folder, 'offset');
  let offsetMs = 0;
  const set = async (wanted: number) => {
    // It is read whenever somebody asks for the time: there is always one, and a whole one.
    await writeFile(`${file}.new`, `${wanted < 0 ? '-' : '+'}${Math.abs(wanted) / 1000}\n`);
    await rename(`${file}.new`, file);
    offsetMs = wanted;
  };
  await set(fromMs);
  return {
    settings: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // On no machine can the other clock be set.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    get offsetMs() {
      return offsetMs;
    },
    set,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
