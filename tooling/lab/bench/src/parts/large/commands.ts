import { type Directory, emailOf } from '../../population/directory.ts';
import type { LargeDirectory } from '../../population/large/large-directory.ts';
import { timeCommand } from '../../servers/command.ts';
import { withClient } from '../../stage.ts';

/** How long a command takes, as a process of its own, in seconds; one value for each round. */
export interface CommandTime {
  readonly command: string;
  readonly seconds: readonly number[];
  /** How long a command that reads one row of the small directory took, just before. */
  readonly shortSeconds: readonly number[];
}

/** It reads one row, so its time is mostly the start of a process. */
export const SHORT_COMMAND = 'audit list --limit 1';

/**
 * Times commands. Those on the audit log list an account with one in a hundred events, an operator, or a kind of event.
 */
export async function timeCommands(
  directory: LargeDirectory,
  small: Directory,
  rounds: number,
): Promise<readonly CommandTime[]> {
  const token = await someToken(directory);
  const commands = [
    'doctor',
    'token list --unused-for 90d',
    'token list --expiring-within 1h',
    `token list --as ${emailOf(2)}`,
    `token show ${token}`,
    'audit list',
    'audit list --account 1',
    `audit list --as ${emailOf(1)}`,
    'audit list --actor ada',
    `audit list --actor ${emailOf(2)}`,
    'audit list --action token.revoked',
    'audit list --account 2 --action token.revoked',
    `audit list --token ${token}`,
    'audit list --since 2d',
    SHORT_COMMAND,
  ].map((command) => ({ command, seconds: [] as number[], shortSeconds: [] as number[] }));
  // The first round also compiles the sources, and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { command, seconds, shortSeconds } of commands) {
      const short = secondsOf(small, SHORT_COMMAND);
      const took = secondsOf(directory, command);
      if (round === 0) continue;
      seconds.push(took);
      shortSeconds.push(short);
    }
  }
  return commands.map(({ command, ...times }) => ({ command: command.replace(token, 'ID'), ...times }));
}

function secondsOf({ url, stage }: Directory, command: string): number {
  const settings = { DATABASE_URL: url, GATEHOUSE_MASTER_KEY: stage.masterKey };
  return timeCommand(settings, command.split(' ')) / 1000;
}

async function someToken({ url }: LargeDirectory): Promise<string> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM tokens WHERE account_id = 2 ORDER BY id LIMIT 1',
    );
    return rows[0]?.id ?? 'none';
  });
}
