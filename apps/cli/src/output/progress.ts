import { WriteStream } from 'node:tty';
import type { Cli } from '../cli.ts';
import { printable } from './printable.ts';

/** Says how far the work is, in place of what was said before. */
export type SayProgress = (text: string) => void;

/** Prints lines that stay, above the progress where that is shown. */
export type PrintAbove = (print: () => Promise<void>) => Promise<void>;

/** What is done sooner needs no progress shown: it would only flicker. */
const DELAY_MS = 500;

/**
 * Shows on standard error that work goes on which may take over a second, and clears it away when the work ends or
 * is interrupted: `await withProgress(cli, options, 'Pruning tokens', (say) => ...)`. Shows nothing where standard
 * error is no terminal, or with `--quiet`. The work must not ask anything meanwhile.
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
    // Who handles signals is decided in one place, and not here.
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

/** A terminal that cannot take back what it showed, or a log that looks like one. */
function isPlain({ TERM, CI }: NodeJS.ProcessEnv): boolean {
  return TERM === 'dumb' || CI !== undefined;
}
