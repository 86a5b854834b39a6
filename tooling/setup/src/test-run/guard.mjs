// Waits for the end of a test run, which holds the other end of the standard input, and ends what the run left: see
// `openRunFolder`. `node guard.mjs FOLDER`
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processesWith } from './processes.mjs';

const folder = process.argv[2] ?? '';
const name = basename(folder);
if (!/^gh-\w{6}$/.test(name)) throw new TypeError(`${folder} is no folder of a test run`);

/** Servers get time to stop the processes that they started. */
const GRACE_MS = 5_000;
const POLL_MS = 50;

await once(process.stdin.resume(), 'close');
for (const isLast of [false, true]) await end(isLast);
// Test databases are in memory if there is room.
for (const place of [dirname(folder), '/dev/shm']) remove(place);

/**
 * Signals each process once, including those started meanwhile, and waits until all have ended.
 * @param {boolean} isLast
 */
async function end(isLast) {
  const signalled = new Set();
  for (const deadline = performance.now() + GRACE_MS; performance.now() < deadline; await delay(POLL_MS)) {
    const left = processesWith(name);
    if (left.length === 0) return;
    for (const { pid, program } of left) {
      if (signalled.has(pid)) continue;
      signalled.add(pid);
      // On SIGTERM, PostgreSQL would wait for its clients.
      const gently = basename(program) === 'postgres' ? 'SIGQUIT' : 'SIGTERM';
      signal(pid, isLast ? 'SIGKILL' : gently);
    }
  }
}

/** @param {number} pid @param {NodeJS.Signals} which */
function signal(pid, which) {
  try {
    process.kill(pid, which);
  } catch {
    // It has ended.
  }
}

/** @param {string} place */
function remove(place) {
  try {
    const names = readdirSync(place).filter((each) => each.startsWith(name));
    for (const each of names) rmSync(join(place, each), { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // The folder does not exist, or has a file of another user: the system removes temporary files later.
  }
}
