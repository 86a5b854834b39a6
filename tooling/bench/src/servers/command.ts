import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from '../statistics.ts';

const COMMAND = fileURLToPath(new URL('../../../../apps/cli/bin/gatehouse.js', import.meta.url));
const TIMES = 7;

/** Measures how long a reading command takes, in milliseconds. */
export function timeCommand(databaseUrl: string): number {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: databaseUrl };
  const times = Array.from({ length: TIMES }, () => {
    const startedAt = performance.now();
    execFileSync(process.execPath, [COMMAND, 'key', 'list', '--json'], { env, stdio: 'pipe' });
    return performance.now() - startedAt;
  });
  return median(times);
}
