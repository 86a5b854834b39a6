import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { SetUpError } from './set-up-error.mjs';

const POLL_MS = 100;
const PATIENCE_MS = 10 * 60_000;

/**
 * Runs `work` under an exclusive lock between processes. Takes over the lock of a killed process.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {number} [patience] in milliseconds
 * @returns {Promise<T>}
 */
export async function withLock(path, work, patience = PATIENCE_MS) {
  const deadline = performance.now() + patience;
  let told = false;
  while (!acquire(path)) {
    const holder = holderOf(path);
    if (holder !== undefined && !isAlive(holder)) {
      takeAway(path, holder);
      continue;
    }
    if (performance.now() > deadline) {
      throw new SetUpError(
        `Another set-up (process ${holder}) does not finish; if there is none, remove ${path}.`,
      );
    }
    if (!told) console.error(`Another set-up is running (process ${holder}): waiting for it ...`);
    told = true;
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/**
 * Creates the lock with its content: a file that is created first and then written could be read empty.
 * @param {string} path
 */
function acquire(path) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}

/** @param {string} path */
function holderOf(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Of several concurrent processes one gets the file; a process that gets a newer lock instead gives it back.
 * @param {string} path
 * @param {number} holder
 */
function takeAway(path, holder) {
  const taken = `${path}.${process.pid}.old`;
  try {
    renameSync(path, taken);
    if (holderOf(taken) !== holder) linkSync(taken, path);
    rmSync(taken);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
