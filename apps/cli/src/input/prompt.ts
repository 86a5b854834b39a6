import type { Cli, Streams } from '../cli.ts';
import { Interrupted } from '../errors/command-error.ts';

/** Whether there is a person to ask. */
export function canAsk({ stdin, stderr }: Streams): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

export function askToConfirm(cli: Cli, message: string): Promise<boolean> {
  return ask(cli, async (context) => {
    const { confirm } = await import('@inquirer/prompts');
    return confirm({ message, default: false }, context);
  });
}

export function askForLine(cli: Cli, message: string): Promise<string> {
  return ask(cli, async (context) => {
    const { input } = await import('@inquirer/prompts');
    return input({ message }, context);
  });
}

/** Asks without echo. `check` answers what is wrong with what was typed, if anything is. */
export function askForSecret(
  cli: Cli,
  message: string,
  check: (typed: string) => string | undefined,
): Promise<string> {
  return ask(cli, async (context) => {
    const { password } = await import('@inquirer/prompts');
    const validate = (typed: string) => check(typed) ?? true;
    return password({ message, mask: false, toggleMask: false, validate }, context);
  });
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
  prompt: (context: PromptContext) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const giveUp = () => gone.abort();
  // At Ctrl-D readline lets the input go without a word, and the answer would never come.
  stdin.once('pause', giveUp);
  try {
    return await prompt({ input: stdin, output: stderr, signal: AbortSignal.any([signal, gone.signal]) });
  } catch (error) {
    if (error instanceof Error && GIVEN_UP.has(error.name)) throw new Interrupted();
    throw error;
  } finally {
    stdin.off('pause', giveUp);
  }
}
