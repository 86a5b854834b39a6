import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { supervise } from './supervise.mjs';

/** Processes that a failed test leaves running. */
const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has exited by itself, as expected.
    }
  }
});

/** Starts a script of the testing folder; returns its output and that of its children, line by line. */
function start(script: string) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../testing/${script}`, import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_lifecycle_event: undefined },
  });
  const pid = Number(child.pid);
  started.push(pid);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async () => {
    const { value } = await lines.next();
    const [, other] = value?.match(/^(?:launcher|ready) (\d+)$/) ?? [];
    if (other !== undefined) started.push(Number(other));
    return value;
  };
  return { pid, said };
}

it("returns the program's exit status, or the one of the signal that ended it", async () => {
  const options = { cwd: process.cwd(), env: process.env };
  expect(await supervise('sh', ['-c', 'exit 3'], options)).toEqual({ status: 3, stopped: false });
  expect(await supervise('sh', ['-c', 'kill -9 $$'], options)).toEqual({ status: 137, stopped: false });
});

it('ignores signals after the program has exited', async () => {
  const before = process.listenerCount('SIGTERM');
  await supervise('true', [], { cwd: process.cwd(), env: process.env });
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

it.each(['SIGTERM', 'SIGINT'] as const)('forwards %s, and waits for the program to exit', async (signal) => {
  const { pid, said } = start('launcher.mjs');
  await said();
  await said();
  process.kill(pid, signal);
  expect(await said()).toBe(signal);
  expect(await said()).toBe('status 7, stopped');
});

it('closes the program’s channel if the launcher is killed', async () => {
  const { pid, said } = start('launcher.mjs');
  await said();
  await said();
  process.kill(pid, 'SIGKILL');
  expect(await said()).toBe('disconnect');
});

it('stops the program if npm is killed', async () => {
  const { pid, said } = start('npm.mjs');
  await said();
  await said();
  process.kill(pid, 'SIGKILL');
  expect(await said()).toBe('SIGTERM');
  expect(await said()).toBe('status 7, stopped');
});
