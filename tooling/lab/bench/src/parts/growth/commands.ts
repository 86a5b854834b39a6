import type pg from 'pg';
import type { Effort } from '../../options.ts';
import type { Directory } from '../../population/directory.ts';
import { say } from '../../say.ts';
import { timeCommand } from '../../servers/command.ts';
import { withClient } from '../../stage.ts';

/** How long a command takes, as a process of its own, in seconds; one value for each round. */
export interface CommandResult {
  readonly command: string;
  /** Whether it has to find a few among all tokens. */
  readonly searches: boolean;
  readonly seconds: readonly number[];
  /** The stored tokens. */
  readonly stored: number;
}

const COMMANDS = [
  { command: 'doctor', searches: true },
  { command: 'token list --unused-for 90d', searches: true },
  { command: 'audit list --limit 1', searches: false },
];

/** Measures commands in a directory, after making its tokens old. */
export async function measureCommands(
  { url, stage, organizations: stored }: Directory,
  { rounds }: Effort,
): Promise<readonly CommandResult[]> {
  say(`making ${stored} tokens old`);
  await withClient(url, age);
  const settings = { DATABASE_URL: url, GATEHOUSE_MASTER_KEY: stage.masterKey };
  const results = COMMANDS.map((each) => ({ ...each, seconds: [] as number[], stored }));
  // The first run also compiles the sources, and does not count.
  for (const { command } of results) timeCommand(settings, command.split(' '));
  for (let round = 1; round <= rounds; round += 1) {
    for (const { command, seconds } of results) {
      seconds.push(timeCommand(settings, command.split(' ')) / 1000);
    }
  }
  return results;
}

/**
 * Makes all API tokens older than 90 days. Nearly all were used within these days; one in 20,000 was never used, and
 * one in 20,000 only before. One in fifty is expired, one in fifty revoked, and one in four never expires.
 */
async function age(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE aged AS
      SELECT id, n, now() - (100 + n % 300) * interval '1 day' AS created_at
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM tokens WHERE kind = 'api') AS numbered;
    ANALYZE aged;
    UPDATE tokens SET created_at = aged.created_at,
        expires_at = CASE WHEN n % 50 = 1 THEN now() - interval '1 day'
          WHEN n % 4 > 0 THEN now() + (1 + n % 300) * interval '1 day' END,
        revoked_at = CASE WHEN n % 50 = 2 THEN now() END, revoked_by = CASE WHEN n % 50 = 2 THEN '{}'::jsonb END
      FROM aged WHERE aged.id = tokens.id;
    UPDATE token_usage SET created_on = (aged.created_at AT TIME ZONE 'UTC')::date,
        last_used_at = CASE n % 20000 WHEN 7 THEN NULL WHEN 8 THEN aged.created_at
          ELSE now() - (n % 80) * interval '1 day' END
      FROM aged WHERE aged.id = token_id`);
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}
