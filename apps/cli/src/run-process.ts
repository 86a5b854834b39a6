import { cutLineEnds } from '@gatehouse/installation/line-ends';
import { collectSooner } from './collect-sooner.ts';
import { COMPLETE } from './completion/words-before-cursor.ts';
import { EXIT } from './errors/exit-status.ts';
import { createProcessCli } from './process-cli.ts';
import { runCommand } from './run-command.ts';

/** Longest wait for a running statement after an interrupt, in milliseconds. */
const GRACE_MS = 1_000;

/** Longest time of a completion, in milliseconds; a later answer is useless. */
const COMPLETION_MS = 2_000;

/** Runs the command that this process was started for. */
export async function runProcess(): Promise<void> {
  cutLineEnds(process.env);
  const interrupted = new AbortController();
  // Each handler runs once, so a second Ctrl-C ends the process immediately.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      interrupted.abort();
      setTimeout(() => {
        process.stderr.write('Interrupted.\n');
        process.exit(EXIT.interrupted);
      }, GRACE_MS).unref();
    });
  }
  collectSooner();
  // The user is waiting for the completion.
  if (process.argv[2] === COMPLETE) setTimeout(() => process.exit(EXIT.done), COMPLETION_MS).unref();
  // Each write reports its own failure. Without a listener, an error between two writes would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  const cli = createProcessCli(process.env, { signal: interrupted.signal, streams: process });
  process.exitCode = await runCommand(process.argv.slice(2), cli);
  // `process.exit` ends Node without freeing its memory piece by piece, which takes 1 ms. It would cut off unwritten output.
  if (process.stdout.writableLength === 0 && process.stderr.writableLength === 0) process.exit();
}
