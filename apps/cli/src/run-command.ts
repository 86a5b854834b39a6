import type { Cli } from './cli.ts';
import { commandGroups, loadCalled } from './command-groups.ts';
import { EXIT, type ExitStatus } from './errors/exit-status.ts';
import { type Failure, failureOf } from './errors/failure.ts';
import { printable } from './output/printable.ts';
import { markError } from './output/style.ts';
import { widthOf, wrap } from './output/wrap.ts';
import { offer, write } from './output/write.ts';
import { createProgram } from './program.ts';

/** Runs one command, given without `node` and the program's name, and returns its exit status. Never throws. */
export async function runCommand(args: readonly string[], cli: Cli): Promise<ExitStatus> {
  const { stdout, stderr } = cli.streams;
  const help: Promise<unknown>[] = [];
  const run = async () => {
    if (cli.extensions.length > 0) {
      const { checkRefusals } = await import('@gatehouse/domain/resources');
      checkRefusals(cli.extensions);
    }
    const groups = commandGroups(cli.extensions);
    const loaded = await loadCalled(groups, args);
    const program = createProgram(cli, (text) => void help.push(offer(stdout, text)), groups, loaded);
    await program.parseAsync(args, { from: 'user' });
  };
  const ending = await endOf(run());
  const { status, lines } = ending.status === EXIT.done ? await endOf(Promise.all(help)) : ending;
  if (lines !== undefined) {
    const text = lines.map((line) => wrap(printable(line), widthOf(stderr))).join('\n');
    await write(stderr, `${markError(text, stderr)}\n`).catch(() => undefined);
  }
  return status;
}

async function endOf(work: Promise<unknown>): Promise<Failure> {
  try {
    await work;
    return { status: EXIT.done };
  } catch (error) {
    return failureOf(error);
  }
}
