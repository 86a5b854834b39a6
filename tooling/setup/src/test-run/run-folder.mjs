import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('guard.mjs', import.meta.url));

/** The name is short, because paths of sockets are limited to some hundred bytes. */
const PREFIX = 'gh-';

/** @type {typeof globalThis & { gatehouseRunFolder?: string }} */
const shared = globalThis;

/**
 * Makes a folder for the temporary files of a test run, and names it in the environment of this process and of all that it
 * starts: `TMPDIR`, and its name alone in `GATEHOUSE_TEST_RUN`. When this process has ended, by itself or by any signal, a
 * guard ends every process that has this name in its environment or arguments, and removes the folder. Does nothing if it was
 * called before: the configuration of tests is loaded once for each project.
 */
export function openRunFolder() {
  if (shared.gatehouseRunFolder !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  // The same mode as its parent folder has: tests run as several users.
  chmodSync(folder, 0o1777);
  shared.gatehouseRunFolder = folder;
  const env = { ...process.env };
  process.env.TMPDIR = folder;
  process.env.GATEHOUSE_TEST_RUN = basename(folder);
  // The guard has a session of its own, so no signal of a terminal reaches it. It waits for the end of its standard
  // input.
  const guard = spawn(process.execPath, [GUARD, folder], {
    cwd: '/',
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  guard.unref();
  /** @type {import('node:net').Socket} */ (guard.stdin).unref();
}
