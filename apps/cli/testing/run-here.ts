import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import type { Cli } from '../src/cli.ts';
import { createProcessCli } from '../src/process-cli.ts';
import { runCommand } from '../src/run-command.ts';
import type { Outcome } from './memory-cli.ts';
import { environment, type ProcessEnvironment } from './process.ts';

interface RunHereOptions {
  readonly stdin?: string;
  /** Default: those of this installation. */
  readonly resources?: Pick<Cli, 'catalog' | 'extensions'>;
}

/**
 * Runs a command like `runCli`, but in the process of the test, because starting a process takes most of the time. For
 * tests of what a command does to the database, which do not depend on how a process starts and ends.
 */
export async function runHere(
  settings: ProcessEnvironment,
  args: readonly string[],
  { stdin = '', resources }: RunHereOptions = {},
): Promise<Outcome> {
  // Options take their defaults from the process.
  vi.stubEnv('GATEHOUSE_AS', settings.GATEHOUSE_AS);
  const [input, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()] as const;
  input.end(stdin);
  const said = Promise.all([text(stdout), text(stderr)]);
  const streams = { stdin: input, stdout, stderr };
  const { signal } = new AbortController();
  const cli = createProcessCli(environment(settings), { signal, streams }, resources);
  const status = await runCommand(args, cli);
  stdout.end();
  stderr.end();
  const [printed, noted] = await said;
  return { status, stdout: printed, stderr: noted };
}
