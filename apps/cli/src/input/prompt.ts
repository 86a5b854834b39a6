import { setImmediate } from 'node:timers/promises';
import type { Cli } from '../cli.ts';
import { Interrupted } from '../errors/command-error.ts';
import { widthOf, wrap } from '../output/wrap.ts';
import type { Streams } from '../streams.ts';

/** Whether a terminal is connected, so that the command can ask a question. */
export function canAsk({ stdin, stderr }: Streams): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

export function askToConfirm(cli: Cli, message: string): Promise<boolean> {
  const fitted = fit(message, ' (y/N) yes', cli);
  return ask(cli, ({ confirm }, context) => confirm({ message: fitted, default: false }, context));
}

/** Returns the problem with the typed text; undefined if there is none. */
type Check = (typed: string) => string | undefined | Promise<string | undefined>;

/** Converts a check to the form of the prompt library, where `true` accepts the answer. */
type Validating = (check: Check) => (typed: string) => Promise<string | true>;

export function askForLine(cli: Cli, message: string, check: Check): Promise<string> {
  return ask(cli, ({ input }, context, validating) =>
    input({ message: fit(message, ' ', cli), validate: validating(check) }, context),
  );
}

/** Asks without echo. */
export function askForSecret(cli: Cli, message: string, check: Check): Promise<string> {
  return ask(cli, ({ password }, context, validating) =>
    password(
      { message: fit(message, ' ', cli), mask: false, toggleMask: false, validate: validating(check) },
      context,
    ),
  );
}

/** The width of the symbol and the space that the prompt prints before a question or a problem. */
const BEFORE = 2;

/**
 * Wraps a question, or a problem, between words; the prompt itself would break words at the width of the terminal. The
 * text that it prints after the question stays on the line of the last word.
 */
function fit(
  text: string,
  after: string,
  { streams }: { readonly streams: Pick<Streams, 'stderr'> },
): string {
  const wrapped = wrap(`${'_'.repeat(BEFORE)}${text}${'_'.repeat(after.length)}`, widthOf(streams.stderr));
  return wrapped.slice(BEFORE, wrapped.length - after.length);
}

interface PromptContext {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

const GIVEN_UP = new Set(['ExitPromptError', 'AbortPromptError']);

/** Questions go to standard error: standard output belongs to programs. */
async function ask<T>(
  { streams: { stdin, stderr }, signal }: Cli,
  prompt: (
    prompts: typeof import('@inquirer/prompts'),
    context: PromptContext,
    validating: Validating,
  ) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const giveUp = () => gone.abort();
  // If Ctrl-C comes right after the answer, the prompt closes while the answer is checked. Showing the problem then throws
  // where nothing catches it. So the check waits until the key has been handled, and a closed prompt gets no answer.
  const validating: Validating = (check) => async (typed) => {
    const problem = await check(typed);
    await setImmediate();
    if (gone.signal.aborted) return new Promise<never>(() => undefined);
    return problem === undefined ? true : fit(problem, '', { streams: { stderr } });
  };
  // At Ctrl-D, readline only pauses the input. Without this listener, the prompt would wait for ever.
  stdin.once('pause', giveUp);
  try {
    const context = { input: stdin, output: stderr, signal: AbortSignal.any([signal, gone.signal]) };
    return await prompt(await import('@inquirer/prompts'), context, validating);
  } catch (error) {
    if (error instanceof Error && GIVEN_UP.has(error.name)) throw new Interrupted();
    throw error;
  } finally {
    stdin.off('pause', giveUp);
    giveUp();
  }
}
