import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { npmEnds } from './npm-ends.mjs';

/** The limit for a program that hangs; it has a shorter limit of its own. */
const KILL_AFTER_MS = 15_000;

/**
 * Runs a program in the foreground. Stops it when this process gets a signal to stop, or when the npm that started this
 * process has exited. A program with a `channel` sees it close (`disconnect`) if this process is killed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, channel?: boolean }} options
 * @returns {Promise<{ status: number, stopped: boolean }>} `stopped`: whether this process was told to stop
 */
export async function supervise(command, args, { cwd, env, channel = false }) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: channel ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
  });
  let stopped = false;
  /** @type {NodeJS.Timeout | undefined} */
  let killing;

  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    stopped = true;
    // A terminal sends this signal to the child as well.
    if (signal !== 'SIGINT' || !isOnTerminal()) child.kill(signal);
    killing ??= setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  };
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const watch = npmEnds(() => stop('SIGTERM'));
  try {
    const [code, signal] = await once(child, 'exit');
    return { status: code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)], stopped };
  } finally {
    clearTimeout(killing);
    watch.stop();
    for (const signal of signals) process.removeListener(signal, stop);
  }
}

function isOnTerminal() {
  return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
}
