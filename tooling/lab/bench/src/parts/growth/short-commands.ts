import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ratios } from '../../statistics.ts';

/** The CPU of a short command, as a multiple of the CPU of `node -e 0`; one value for each round. */
export interface ShortCommandResult {
  readonly command: string;
  readonly limit: number;
  readonly ratios: readonly number[];
}

const GATEHOUSE = fileURLToPath(new URL('../../../../../../gatehouse', import.meta.url));

const COMMANDS = [
  { command: '--version', limit: 2.2 },
  { command: 'org list --help', limit: 2.2 },
  { command: 'account list', limit: 3 },
];

/** Single values differ by a fifth, so there are many. */
const ROUNDS = 20;

/** Measures commands as a user starts them, in turn with Node alone. */
export function measureShortCommands(
  settings: Readonly<Record<string, string>>,
): readonly ShortCommandResult[] {
  const cpu = (...words: string[]) => cpuOf(words, settings);
  const node: number[] = [];
  const results = COMMANDS.map((each) => ({
    ...each,
    words: each.command.split(' '),
    taken: [] as number[],
  }));
  // The first run also bundles and compiles the sources, and does not count.
  for (const { words } of results.toReversed()) cpu(GATEHOUSE, ...words);
  for (let round = 1; round <= ROUNDS; round += 1) {
    node.push(cpu(process.execPath, '-e', '0'));
    for (const { words, taken } of results) taken.push(cpu(GATEHOUSE, ...words));
  }
  return results.map(({ command, limit, taken }) => ({ command, limit, ratios: ratios(taken, node) }));
}

/** Returns the CPU that a program took, in milliseconds. Node cannot tell this, nor does /proc, so finely. */
function cpuOf(words: readonly string[], settings: Readonly<Record<string, string>>): number {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TIMEFORMAT: '%3U %3S', ...settings };
  const script = '{ time "$@" > /dev/null 2>&1; } 2>&1';
  const { status, stdout } = spawnSync('bash', ['-c', script, 'bash', ...words], { env, encoding: 'utf8' });
  const [user = Number.NaN, system = Number.NaN] = stdout.trim().split(' ').map(Number);
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`);
  return (user + system) * 1000;
}
