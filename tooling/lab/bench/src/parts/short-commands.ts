import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Effort } from '../options.ts';
import type { SharedDirectories } from '../population/shared-directories.ts';

/** The CPU of a program from its start to its end, in milliseconds, once for each round. */
export interface ShortCommandsResult {
  readonly node: readonly number[];
  readonly commands: readonly {
    readonly command: string;
    readonly limit: number;
    readonly cpuMs: number[];
  }[];
}

const GATEHOUSE = fileURLToPath(new URL('../../../../../gatehouse', import.meta.url));

/** With the most that each may take, as a multiple of `node -e 0`. */
const COMMANDS = [
  { command: '--version', limit: 2.2 },
  { command: 'org list --help', limit: 2.2 },
  { command: 'account list', limit: 3 },
];

/** Measures commands as a user starts them, in turn with Node alone. */
export async function measureShortCommands(
  { shortCommands: rounds }: Effort,
  directories: SharedDirectories,
): Promise<ShortCommandsResult> {
  const { url, stage } = await directories.holding(1);
  const settings = { DATABASE_URL: url, GATEHOUSE_MASTER_KEY: stage.masterKey };
  const cpu = (...words: string[]) => cpuOf(words, settings);
  const node: number[] = [];
  const commands = COMMANDS.map((each) => ({ ...each, cpuMs: [] as number[] }));
  // The first time, the sources are bundled.
  cpu(GATEHOUSE, '--version');
  for (let round = 1; round <= rounds; round += 1) {
    node.push(cpu(process.execPath, '-e', '0'));
    for (const { command, cpuMs } of commands) cpuMs.push(cpu(GATEHOUSE, ...command.split(' ')));
  }
  return { node, commands };
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
