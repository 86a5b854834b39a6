import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './root.ts';

const run = promisify(execFile);

/** Starts the program, and resolves with its instructions. */
async function start() {
  const program = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void program.kill('SIGTERM'));
  let text = '';
  for await (const chunk of program.stdout) {
    text += chunk;
    if (text.includes('Ctrl-C')) break;
  }
  return { program, text };
}

test('its commands show that a service accepts a token, and refuses it when it is revoked', async () => {
  const { program, text } = await start();
  const ended = once(program, 'exit');
  const steps = Array.from(
    text.matchAll(/^ {2}(\d)\. (.*)\n\n {4}(.*)$/gm),
    ([, , title = '', command = '']) => ({
      command,
      status: /: (\d{3})$/.exec(title)?.[1],
    }),
  );
  expect(steps.map(({ status }) => status)).toEqual(['200', '403', undefined, '401']);
  for (const { command, status } of steps) {
    const { stdout, stderr } = await run('bash', ['-c', command], { cwd: ROOT });
    expect(stdout + stderr).toContain(
      status === undefined ? 'Revoked token "Order desk"' : `HTTP/1.1 ${status} `,
    );
  }
  const [, folder = ''] = /GATEHOUSE_DATA_DIR=(\S+)/.exec(text) ?? [];
  expect(existsSync(folder)).toBe(true);
  program.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(folder)).toBe(false);
});
