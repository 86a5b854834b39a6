import { cutLineEnds } from '@gatehouse/installation/line-ends';
import { collectSooner } from './collect-sooner.ts';
import { COMPLETE } from './completion/words-before-cursor.ts';
import { EXIT } from './errors/exit-status.ts';
import { createProcessCli } from './process-cli.ts';
import { runCommand } from './run-command.ts';

/** Longest wait for a running statement after an interrupt, in milliseconds. */
const GRACE_MS = 1_000;

/** Maximum time to complete a word, in milliseconds. The user of the shell does not wait longer. */
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
  // A completion that takes too long ends without output.
  if (process.argv[2] === COMPLETE) setTimeout(() => process.exit(EXIT.done), COMPLETION_MS).unref();
  // Each write reports its own failure. Without a listener, an error between two writes would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  const cli = createProcessCli(process.env, { signal: interrupted.signal, streams: process });
  process.exitCode = await runCommand(process.argv.slice(2), cli);
  // `process.exit` saves 1 ms, because Node then does not free its memory piece by piece. It is called only if all
  // output is written, because it would cut off the rest.
  if (process.stdout.writableLength === 0 && process.stderr.writableLength === 0) process.exit();
}
