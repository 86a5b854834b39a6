import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Outcome } from './memory-cli.ts';
import { type ProcessEnvironment, startCli } from './process.ts';

/** How long a command takes until it has a connection, and in total, in milliseconds. */
interface Course {
  readonly connectedMs: number;
  readonly endedMs: number;
}

/** Watches a database: whether a command is connected, and whether its records agree with the audit log. */
export async function openWatch(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const isConnected = async () => {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity where datname = current_database() and application_name = $1`,
      [NAME],
    );
    return rows.length > 0;
  };
  return {
    isConnected,
    /** Waits for statements that were sent before the kill. */
    async settled(): Promise<void> {
      while (await isConnected()) await delay(2);
    },
    async disagreements(): Promise<readonly unknown[]> {
      return (await client.query(DISAGREEMENTS)).rows;
    },
    close: () => client.end(),
  };
}

export type Watch = Awaited<ReturnType<typeof openWatch>>;

const NAME = 'command under test';

/** The settings that mark the sessions of a command. */
export function watched(settings: ProcessEnvironment): ProcessEnvironment {
  const url = new URL(settings.DATABASE_URL ?? '');
  url.searchParams.set('application_name', NAME);
  return { ...settings, DATABASE_URL: url.href };
}

/** Waits until the command has connected or ended. */
async function connectedOrEnded(ended: Promise<unknown>, watch: Watch): Promise<void> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over && !(await watch.isConnected())) await delay(1);
}

/** Runs the command to its end, and measures it. */
export async function courseOf(watch: Watch, settings: ProcessEnvironment, args: readonly string[]) {
  const from = performance.now();
  const { ended } = startCli(watched(settings), args);
  await connectedOrEnded(ended, watch);
  const connectedMs = performance.now() - from;
  const outcome = await ended;
  return { outcome, course: { connectedMs, endedMs: performance.now() - from } };
}

/**
 * Kills the command at a random time. Most of its time passes before it does anything, so every other time counts from
 * when the command has a connection.
 */
export async function killedOnItsWay(
  watch: Watch,
  settings: ProcessEnvironment,
  args: readonly string[],
  when: { readonly course: Course; readonly part: number; readonly fromConnection: boolean },
): Promise<Outcome> {
  const { connectedMs, endedMs } = when.course;
  const { child, ended } = startCli(watched(settings), args);
  if (when.fromConnection) {
    await connectedOrEnded(ended, watch);
    await delay(when.part * (endedMs - connectedMs));
  } else {
    await delay(when.part * endedMs);
  }
  child.kill('SIGKILL');
  const outcome = await ended;
  await watch.settled();
  return outcome;
}

/** Finds records that disagree with the audit log: every change has exactly one event, and every event its change. */
const DISAGREEMENTS = `
  with told as (
    select subject_type, subject_id, action, count(*)::int as times from audit_events group by 1, 2, 3
  ), happened as (
    select 'token' as subject_type, id::text as subject_id, 'token.created' as action, 1 as times from tokens
    union all select 'token', id::text, 'token.revoked', (revoked_at is not null)::int from tokens
    union all select 'token', id::text, 'token.transferred', (user_id <> subject)::int from tokens
    union all select 'token', id::text, 'token.rotated',
      (select count(*) from tokens as successor where successor.replaces = tokens.id)::int from tokens
    union all select 'user', id::text, 'user.disabled', (disabled_at is not null)::int from users
    union all select 'account', id::text, 'account.suspended', (suspended_at is not null)::int from accounts
    union all select 'key', id, 'key.activated', (activated_at > created_at)::int from signing_keys
  )
  select subject_type, subject_id, action, happened.times as happened, told.times as told
  from happened full join told using (subject_type, subject_id, action)
  where coalesce(happened.times, 0) <> coalesce(told.times, 0)
    and action in (select action from happened)`;
