import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { LargeDirectory } from '../../population/large/large-directory.ts';
import { withClient } from '../../stage.ts';

/** The disk space of a group of tables. */
export interface StorageResult {
  readonly what: string;
  /** The number of rows: the size is divided by it. */
  readonly count: number;
  readonly bytes: number;
  /** The part of it that is indexes. */
  readonly indexBytes: number;
}

const OF_TOKENS = ['tokens', 'token_usage', 'token_addresses', 'searched_addresses'];
/** The tables that a look-up reads, and that the recorder writes afterwards. */
const READ = ['tokens', 'token_usage', 'token_addresses', 'users', 'accounts', 'organizations'];

export async function measureStorage({ url, size }: LargeDirectory): Promise<readonly StorageResult[]> {
  return await withClient(url, async (client) => {
    const sizeOf = async (tables: readonly string[]) => {
      const { rows } = await client.query<{ bytes: string; index: string }>(
        `SELECT sum(pg_total_relation_size(t))::text AS bytes, sum(pg_indexes_size(t))::text AS index
         FROM unnest($1::regclass[]) AS t`,
        [tables],
      );
      return { bytes: Number(rows[0]?.bytes), indexBytes: Number(rows[0]?.index) };
    };
    const events = size.tokens * size.eventsPerToken;
    return [
      { what: 'tokens, with their usage and addresses', count: size.tokens, ...(await sizeOf(OF_TOKENS)) },
      {
        what: 'audit events, with their seals',
        count: events,
        ...(await sizeOf(['audit_events', 'audit_seals'])),
      },
    ];
  });
}

/** Reads the tables of look-ups with their indexes into the system's page cache, and returns their size. */
export async function warmPageCache({ url, dataFolder }: LargeDirectory): Promise<number> {
  const paths = await withClient(url, async (client) => {
    const { rows } = await client.query<{ path: string }>(
      `SELECT pg_relation_filepath(oid) AS path FROM pg_class
       WHERE oid = ANY ($1::regclass[]) OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = ANY ($1::regclass[]))`,
      [READ],
    );
    return rows.map(({ path }) => join(dataFolder, path));
  });
  let bytes = 0;
  for (const path of paths) {
    // A relation is in files of a gigabyte: 1234, 1234.1, 1234.2.
    const segments = (await readdir(dirname(path))).filter(
      (name) => name.replace(/\.\d+$/, '') === basename(path),
    );
    for (const segment of segments) {
      for await (const chunk of createReadStream(join(dirname(path), segment), { highWaterMark: 1 << 20 })) {
        bytes += chunk.length;
      }
    }
  }
  return bytes;
}
