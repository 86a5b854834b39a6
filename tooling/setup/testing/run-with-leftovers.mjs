// A test run that leaves processes: one that ignores signals, one without its environment but with a file of its own among
// its arguments. Prints its folder and the processes, and runs until it is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openRunFolder } from '../src/test-run/run-folder.mjs';

openRunFolder();
const folder = String(process.env.TMPDIR);
const stubborn =
  "process.on('SIGTERM', () => undefined); console.log('ready'); setInterval(() => undefined, 60_000);";
const left = [
  spawn(process.execPath, ['-e', stubborn], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] }),
  spawn(process.execPath, ['-e', stubborn, join(folder, 'data')], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  }),
];
await Promise.all(
  left.map(({ stdout }) => once(/** @type {import('node:stream').Readable} */ (stdout), 'data')),
);
console.log(JSON.stringify({ folder, pids: left.map(({ pid }) => pid) }));
setInterval(() => undefined, 60_000);
