// Supervises the program of this folder, like the start script does the server.
import { fileURLToPath } from 'node:url';
import { supervise } from '../src/supervise.mjs';

const program = fileURLToPath(new URL('program.mjs', import.meta.url));
console.log(`launcher ${process.pid}`);
const { status, stopped } = await supervise(process.execPath, [program], {
  cwd: process.cwd(),
  env: process.env,
  channel: true,
});
console.log(`status ${status}, ${stopped ? 'stopped' : 'ended by itself'}`);
