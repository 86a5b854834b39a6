import { setTimeout as delay } from 'node:timers/promises';
import { createVisitor, type Visitor } from '@gatehouse/faults/visitor';
import type pg from 'pg';
import type { Effort } from '../options.ts';
import { type Directory, emailOf, openDirectory, PASSWORD } from '../population/directory.ts';
import { say } from '../say.ts';
import { startGatehouse } from '../servers/gatehouse.ts';
import { type Stage, withClient } from '../stage.ts';

/** The cost of one page, with fewer and with more tokens stored. */
export interface PageResult {
  readonly path: string;
  /** The size of the document, without style and scripts, with the most tokens stored. */
  readonly bytes: number;
  /** The pages of 8 KiB that its statements touch, one figure for each number of stored tokens. */
  readonly buffers: readonly number[];
}

/** A page with one number of tokens stored. */
interface Measured {
  readonly bytes: number;
  readonly buffers: number;
}

export interface Pages {
  readonly stored: readonly number[];
  readonly pages: readonly PageResult[];
}

export const ORIGIN = 'https://gatehouse.example';

/** The token's page is that of the first token of the list. */
export const PATHS = [
  '/settings/api',
  '/settings/api?order=least_recently_used',
  '/settings/api/new',
  '/settings/api/{id}',
  '/settings/api/{id}/rotate',
  '/settings/api/{id}/revoke',
  '/settings/api/activity',
  '/settings/sessions',
  '/settings/password',
] as const;

/** PostgreSQL counts what a session did at most this often, in milliseconds. */
const STATISTICS_DELAY_MS = 1_000;

/** Measures the pages of one account, whose hundred tokens are among few and among many others. */
export async function readPages(stage: Stage, effort: Effort): Promise<Pages> {
  const sizes = [effort.stored[0] as number, effort.stored.at(-1) as number];
  const measured: (readonly Measured[])[] = [];
  for (const size of sizes) {
    say(`storing ${size} tokens`);
    await using directory = await openDirectory(stage, `pages_${size}`, size);
    measured.push(await measure(directory));
  }
  return {
    stored: sizes,
    pages: PATHS.map((path, index) => ({
      path,
      bytes: measured.at(-1)?.[index]?.bytes ?? Number.NaN,
      buffers: measured.map((of) => of[index]?.buffers ?? Number.NaN),
    })),
  };
}

async function measure(directory: Directory): Promise<readonly Measured[]> {
  // All statements of pages use one session, and PostgreSQL counts each session separately.
  await using server = await startGatehouse(directory, { DATABASE_POOL_SIZE: '1', PUBLIC_URL: ORIGIN });
  const visitor = createVisitor({ origin: ORIGIN, urls: [server.announcement.url] });
  await visitor.signIn({ email: emailOf(1), password: PASSWORD });
  const { text: list } = await visitor.ask('/settings/api');
  const [, id] = /href="api\/([0-9a-f-]{36})"/.exec(list) ?? [];
  if (id === undefined) throw new Error('the list has no token');
  return await withClient(directory.url, async (client) => {
    const results: Measured[] = [];
    for (const path of PATHS) results.push(await measurePage(client, visitor, path.replace('{id}', id)));
    return results;
  });
}

async function measurePage(client: pg.Client, visitor: Visitor, path: string): Promise<Measured> {
  const ask = async () => {
    await delay(STATISTICS_DELAY_MS + 100);
    const { status, text } = await visitor.ask(path);
    if (status !== 200) throw new Error(`${path} is answered with status ${status}`);
    return { bytes: Buffer.byteLength(text), total: await buffersTouched(client) };
  };
  // The first one plans the statements and warms the catalog's caches.
  await ask();
  const before = await ask();
  const after = await ask();
  return { bytes: after.bytes, buffers: after.total - before.total };
}

/** The pages' session is the one that touched the most: the server's other session only waits for changes. */
async function buffersTouched(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ touched: string }>(
    `select sum(io.hits + io.reads)::text as touched
     from pg_stat_activity as activity, pg_stat_get_backend_io(activity.pid) as io
     where activity.datname = current_database() and activity.pid <> pg_backend_pid()
       and activity.application_name similar to 'gatehouse [0-9]+' and io.object = 'relation'
     group by activity.pid order by sum(io.hits + io.reads) desc nulls last limit 1`,
  );
  return Number(rows[0]?.touched);
}
