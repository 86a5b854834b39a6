import type { Question } from '@gatehouse/extension-kit/cli';
import type { Cli } from '../cli.ts';
import { Interrupted, usageError } from '../errors/command-error.ts';
import { printable } from '../output/printable.ts';
import { createPrinter } from '../output/printer.ts';
import { askToConfirm, canAsk } from './prompt.ts';

/** The lines above a question, and the number of things that the question is about. Default: the number of lines. */
type Facts = readonly string[] | { readonly lines: readonly string[]; readonly count: number };

/** Prints the facts, and asks. If the facts are undefined, asks nothing, and the command continues. */
export type Confirm = (facts: () => Promise<Facts | undefined>) => Promise<void>;

/**
 * Returns the function with which a command asks for confirmation. With `--yes`, that function asks nothing and does
 * not look up the facts. Call `consentTo` before the database is opened: without `--yes` and without a terminal, it
 * throws a usage error, unless the question has `factsFirst`.
 */
export function consentTo(
  cli: Cli,
  asked: (Question & { readonly factsFirst?: true }) | undefined,
  yes: boolean | undefined,
): Confirm {
  if (yes || !asked) return async () => undefined;
  const { action, question, plural = question, declined, factsFirst } = asked;
  if (!factsFirst && !canAsk(cli.streams)) {
    throw usageError(`There is no terminal to ask for confirmation: add --yes to ${action}.`);
  }
  return async (facts) => {
    const found = await facts();
    if (found === undefined) return;
    const { lines, count } = 'lines' in found ? found : { lines: found, count: found.length };
    const { note } = createPrinter(cli, {});
    for (const line of lines) await note(line);
    const words = count > 1 ? plural : question;
    if (!(await askToConfirm(cli, printable(words)))) throw new Interrupted(declined);
  };
}
