import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { programFile } from '@gatehouse/test-database';
import type { Settings } from './node.ts';

const GATEHOUSE = fileURLToPath(new URL('../../../../../apps/cli/bin/gatehouse.js', import.meta.url));

/** Runs a command and returns its output; throws if it fails. */
export async function gatehouse(settings: Settings, args: readonly string[], stdin = ''): Promise<string> {
  const { status, out, errors } = await runGatehouse(settings, args, stdin);
  if (status !== 0) throw new Error(`gatehouse ${args.join(' ')} ended (${status}): ${errors}`);
  return out.trimEnd();
}

/** Runs a command until it exits, with any status. */
export async function runGatehouse(settings: Settings, args: readonly string[], stdin = '') {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [programFile('gatehouse', GATEHOUSE, settings), ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...settings },
  });
  child.stdin.end(stdin);
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  const [status, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, out, errors };
}
