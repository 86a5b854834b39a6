import type { Cli } from '../cli.ts';
import { Interrupted, usageError } from '../errors/command-error.ts';
import { printable } from '../output/printable.ts';
import { askToConfirm, canAsk } from './prompt.ts';

/** What is asked before something is taken away from people. */
export interface Question {
  readonly question: string;
  /** What is said to whoever answers no. */
  readonly declined: string;
}

/** Where nobody can be asked, `--yes` has to say it: known before anything is opened. `what` is what happens. */
export function requireConsent({ streams }: Cli, yes: true | undefined, what: string): void {
  if (!yes && !canAsk(streams)) {
    throw usageError(`There is no terminal to ask at: confirm that ${what} with --yes.`);
  }
}

export async function askForConsent(cli: Cli, { question, declined }: Question): Promise<void> {
  if (!(await askToConfirm(cli, printable(question)))) throw new Interrupted(declined);
}
