// Starts the launcher like npm, and runs until it is killed.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

spawn(process.execPath, [fileURLToPath(new URL('launcher.mjs', import.meta.url))], {
  stdio: 'inherit',
  env: { ...process.env, npm_lifecycle_event: 'start' },
});
setInterval(() => undefined, 60_000);
