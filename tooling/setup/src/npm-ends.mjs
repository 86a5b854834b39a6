import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh', 'ksh', 'fish']);

/**
 * Calls `onEnd` once npm, which runs us as a script, is gone: npm dies of a signal without passing it on, and the
 * shell between npm and us may live on. Where npm did not start us, the end of whoever did means nothing.
 * @param {() => void} onEnd
 * @returns {{ stop: () => void }}
 */
export function npmEnds(onEnd) {
  if (process.env.npm_lifecycle_event === undefined) return { stop: () => undefined };
  const parent = process.ppid;
  const shell = processFacts(parent);
  const isShell = shell !== undefined && SHELLS.has(shell.name);
  const timer = setInterval(
    () => {
      if (process.ppid === parent && !(isShell && processFacts(parent)?.parent !== shell.parent)) return;
      clearInterval(timer);
      onEnd();
    },
    isShell && process.platform !== 'linux' ? 1_000 : 200,
  );
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * @param {number} pid
 * @returns {{ name: string, parent: number } | undefined}
 */
function processFacts(pid) {
  try {
    const [, name = '', parent] =
      process.platform === 'linux'
        ? (readFileSync(`/proc/${pid}/stat`, 'utf8').match(/\((.*)\) \S (\d+)/s) ?? [])
        : (execFileSync('ps', ['-o', 'comm=,ppid=', '-p', String(pid)], { encoding: 'utf8' }).match(
            /([^/\s]+)\s+(\d+)\s*$/,
          ) ?? []);
    return { name, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
