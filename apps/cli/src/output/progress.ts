import { WriteStream } from 'node:tty';
import type { Cli } from '../cli.ts';
import { printable } from './printable.ts';

/** Replaces the progress text. */
export type SayProgress = (text: string) => void;

/** Prints permanent lines, above the progress if that is shown. */
type PrintAbove = (print: () => Promise<void>) => Promise<void>;

/** Work that ends sooner shows no progress, which would only flicker. In milliseconds. */
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
  if (quiet || !(stderr instanceof WriteStream) || isPlain(process.env)) {
    return work(
      () => undefined,
      (print) => print(),
    );
  }
  let said = text;
  let stop = () => clearTimeout(timer);
  let over = false;
  const timer = setTimeout(async () => {
    const { default: createSpinner } = await import('yocto-spinner');
    if (over) return;
    // run-process.ts handles signals.
    const spinner = createSpinner({ text: printable(said), stream: stderr, handleSignals: false }).start();
    say = (words) => {
      spinner.text = printable(words);
    };
    stop = () => spinner.stop();
    above = async (print) => {
      spinner.stop();
      await print();
      if (!over) spinner.start();
    };
  }, DELAY_MS);
  let say: SayProgress = (words) => {
    said = words;
  };
  let above: PrintAbove = (print) => print();
  const end = () => {
    over = true;
    stop();
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    return await work(
      (words) => say(words),
      (print) => above(print),
    );
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Whether it is a terminal that cannot erase text, or a CI log that looks like a terminal. */
function isPlain({ TERM, CI }: NodeJS.ProcessEnv): boolean {
  return TERM === 'dumb' || CI !== undefined;
}
