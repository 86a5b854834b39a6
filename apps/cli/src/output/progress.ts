import { WriteStream } from 'node:tty';
import type { Spinner } from 'yocto-spinner';
import type { Cli } from '../cli.ts';
import { printable } from './printable.ts';

/** Replaces the progress text. */
export type SayProgress = (text: string) => void;

/** Prints lines that stay. If progress is shown, they are printed above it. */
export type PrintAbove = (print: () => Promise<void>) => Promise<void>;

/** The delay before progress is shown, in milliseconds. Progress of shorter work would only flicker. */
const DELAY_MS = 500;

/**
 * Shows progress on standard error while work runs that may take over a second, and clears it when the work ends or
 * is interrupted: `await withProgress(cli, options, 'Pruning tokens', (say) => ...)`. Shows nothing if standard error
 * is not a terminal, or with `--quiet`. The work must not prompt.
 */
export async function withProgress<T>(
  { streams: { stderr }, signal }: Pick<Cli, 'streams' | 'signal'>,
  { quiet }: { readonly quiet?: true },
  text: string,
  work: (say: SayProgress, above: PrintAbove) => Promise<T>,
): Promise<T> {
  const isShown = !quiet && stderr instanceof WriteStream && !isPlain(process.env);
  let said = printable(text);
  let over = false;
  let spinner: Spinner | undefined;
  const show = async () => {
    const { default: createSpinner } = await import('yocto-spinner');
    // run-process.ts handles signals.
    if (!over) spinner = createSpinner({ text: said, stream: stderr, handleSignals: false }).start();
  };
  const timer = isShown ? setTimeout(show, DELAY_MS) : undefined;
  const say: SayProgress = (words) => {
    said = printable(words);
    if (spinner) spinner.text = said;
  };
  const above: PrintAbove = async (print) => {
    spinner?.stop();
    await print();
    if (!over) spinner?.start();
  };
  const end = () => {
    over = true;
    clearTimeout(timer);
    spinner?.stop();
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    return await work(say, above);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Whether standard error is a terminal that cannot erase text, or a CI log that looks like a terminal. */
function isPlain({ TERM, CI }: NodeJS.ProcessEnv): boolean {
  return TERM === 'dumb' || CI !== undefined;
}
