import { withProgress } from '../src/output/progress.ts';

// A program that works until its input ends, for tests at a terminal. Its arguments are options of the command.
const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
const quiet = process.argv.includes('--quiet') ? { quiet: true as const } : {};
await withProgress(
  { streams: process, signal: interrupted.signal },
  quiet,
  'Counting',
  async (say, above) => {
    process.stderr.write('begun\n');
    for await (const line of process.stdin) {
      if (line.toString() === 'end\n') break;
      if (line.toString() === 'tell\n') {
        await above(async () => void process.stderr.write('a line that stays\n'));
        continue;
      }
      say(`Counting ${line.toString().trim()}`);
    }
  },
);
process.stderr.write('ended\n');
process.stdin.unref();
