import { setImmediate } from 'node:timers/promises';
import type { Cli } from '../cli.ts';
import { Interrupted } from '../errors/command-error.ts';
import { widthOf, wrap } from '../output/wrap.ts';
import type { Streams } from '../streams.ts';

/** Whether a terminal is connected, so that the command can ask a question. */
export function canAsk({ stdin, stderr }: Streams): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Returns the problem with the typed text; undefined if there is none. */
type Check = (typed: string) => string | undefined | Promise<string | undefined>;

export function askToConfirm(cli: Cli, text: string): Promise<boolean> {
  return ask(cli, { text, after: ' (y/N) yes' }, ({ confirm }, { message }, context) =>
    confirm({ message, default: false }, context),
  );
}

export function askForLine(cli: Cli, text: string, check: Check): Promise<string> {
  return ask(cli, { text, check }, ({ input }, question, context) => input(question, context));
}

/** Asks without echo. */
export function askForSecret(cli: Cli, text: string, check: Check): Promise<string> {
  return ask(cli, { text, check }, ({ password }, question, context) =>
    password({ ...question, mask: false, toggleMask: false }, context),
  );
}

interface Asked {
  readonly text: string;
  /** A placeholder as wide as the text that the prompt itself prints after the question. Default: a space. */
  readonly after?: string;
  readonly check?: Check;
}

/** The width of the symbol and the space that the prompt prints before a question or a problem. */
const BEFORE = 2;

/**
 * Wraps a question, or a problem, between words; the prompt itself would break words at the width of the terminal. The
 * text that the prompt prints after the question stays on the line of the last word.
 */
function fit(text: string, after: string, stderr: Streams['stderr']): string {
  const wrapped = wrap(`${'_'.repeat(BEFORE)}${text}${'_'.repeat(after.length)}`, widthOf(stderr));
  return wrapped.slice(BEFORE, wrapped.length - after.length);
}

const GIVEN_UP = new Set(['ExitPromptError', 'AbortPromptError']);

/** Asks on standard error, because a program may read the standard output of the command. */
async function ask<T>(
  { streams: { stdin, stderr }, signal }: Cli,
  { text, after = ' ', check = () => undefined }: Asked,
  prompt: (
    prompts: typeof import('@inquirer/prompts'),
    question: { message: string; validate(typed: string): Promise<string | true> },
    context: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream; signal: AbortSignal },
  ) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const giveUp = () => gone.abort();
  // If the user presses Ctrl-C right after the answer, the prompt closes while the answer is checked. Showing a problem
  // would then throw an error that nothing catches. So the check waits until the key was handled, and never ends for a
  // closed prompt.
  const validate = async (typed: string) => {
    const problem = await check(typed);
    await setImmediate();
    if (gone.signal.aborted) return new Promise<never>(() => undefined);
    return problem === undefined ? true : fit(problem, '', stderr);
  };
  // At Ctrl-D, readline only pauses the input. Without this listener, the prompt would wait for ever.
  stdin.once('pause', giveUp);
  try {
    const context = { input: stdin, output: stderr, signal: AbortSignal.any([signal, gone.signal]) };
    return await prompt(
      await import('@inquirer/prompts'),
      { message: fit(text, after, stderr), validate },
      context,
    );
  } catch (error) {
    if (error instanceof Error && GIVEN_UP.has(error.name)) throw new Interrupted();
    throw error;
  } finally {
    stdin.off('pause', giveUp);
    giveUp();
  }
}
