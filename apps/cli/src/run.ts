import type { Cli } from './cli.ts';
import { endingOf } from './errors/ending.ts';
import { EXIT, type ExitStatus } from './errors/exit-status.ts';
import { printable } from './output/printable.ts';
import { markError } from './output/style.ts';
import { write } from './output/write.ts';
import { createProgram } from './program.ts';

/** Runs one command, given without `node` and the program's name, to its end. Never throws. */
export async function run(args: readonly string[], cli: Cli): Promise<ExitStatus> {
  try {
    await createProgram(cli).parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    const { status, message } = endingOf(error);
    const { stderr } = cli.streams;
    const lines = message?.split('\n').map(printable).join('\n');
    // With standard error gone, the status has to say it all.
    if (lines !== undefined) await write(stderr, `${markError(lines, stderr)}\n`).catch(() => undefined);
    return status;
  }
}
