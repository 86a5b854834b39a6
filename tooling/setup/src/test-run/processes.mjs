import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the other processes that have a text in their arguments or environment. Only root finds those of other users.
 * @param {string} text at least eight characters: a short one would be in many
 * @returns {readonly { readonly pid: number, readonly program: string }[]} `program`: the first argument
 */
export function processesWith(text) {
  if (text.length < 8) throw new TypeError(`"${text}" is too short`);
  const all = process.platform === 'linux' ? readProcesses() : askForProcesses();
  return all
    .filter(({ pid, written }) => pid !== process.pid && written.includes(text))
    .map(({ pid, written }) => ({ pid, program: written.split(/[\0 ]/, 1)[0] ?? '' }));
}

/** Linux may have no `ps`, so /proc is read. */
function readProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), written: readPart(pid, 'cmdline') + readPart(pid, 'environ') }));
}

/** @param {string} pid @param {string} part */
function readPart(pid, part) {
  try {
    return readFileSync(`/proc/${pid}/${part}`, 'latin1');
  } catch {
    // It has ended, or belongs to another user.
    return '';
  }
}

/** Of macOS and the BSDs. */
function askForProcesses() {
  const { stdout } = spawnSync('ps', ['-axEww', '-o', 'pid=,command='], {
    encoding: 'latin1',
    maxBuffer: 2 ** 26,
  });
  return Array.from(stdout.matchAll(/^ *(\d+) (.*)$/gm), ([, pid, written = '']) => ({
    pid: Number(pid),
    written,
  }));
}
