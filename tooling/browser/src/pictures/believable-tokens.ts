import { joinEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import pg from 'pg';
import type { World } from '../index.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

interface Believable {
  readonly name: string;
  readonly scope: string;
  readonly expiresIn?: string;
  /** The time in milliseconds before now. */
  readonly age: number;
  readonly usedAgo?: number;
  readonly usedFrom?: readonly string[];
  readonly refusedAgo?: number;
  readonly refusedFrom?: readonly string[];
}

const TOKENS: readonly Believable[] = [
  { name: 'Payroll', scope: 'orgs:read', expiresIn: '20w', age: 2 * DAY },
  {
    name: 'Intranet search',
    scope: 'orgs:read',
    expiresIn: '9d',
    age: 81 * DAY,
    usedAgo: 40 * MINUTE,
    usedFrom: ['10.0.4.17'],
  },
  {
    name: 'Door badges',
    scope: 'orgs:read',
    expiresIn: '30w',
    age: 160 * DAY,
    usedAgo: 6 * DAY,
    usedFrom: ['10.0.7.2'],
    refusedAgo: 2 * DAY,
    refusedFrom: ['10.0.7.2', '2001:db8:85a3:8d3::/64'],
  },
  { name: 'Old wiki', scope: '*', age: 400 * DAY, usedAgo: 140 * DAY, usedFrom: ['10.0.2.8'] },
  {
    name: 'ERP',
    scope: 'orgs:read',
    expiresIn: '290d',
    age: 75 * DAY,
    usedAgo: 3 * MINUTE,
    usedFrom: ['10.0.0.5', '10.0.0.9'],
  },
];

/** Makes tokens of Ada with a past: uses and refusals, one that expires soon, one never used. Returns their ids by name. */
export async function makeBelievableTokens({ command, folder, acme }: World) {
  const now = Date.now();
  const ids = new Map<string, string>();
  await using database = await joinEmbeddedPostgres({ dataDir: folder });
  const client = new pg.Client({ connectionString: database?.url });
  await client.connect();
  try {
    for (const {
      name,
      scope,
      expiresIn,
      age,
      usedAgo,
      usedFrom = [],
      refusedAgo,
      refusedFrom = [],
    } of TOKENS) {
      const end = expiresIn === undefined ? [] : ['--expires-in', expiresIn];
      const options = ['--as', acme.admin.email, '--name', name, '--scope', scope, ...end, '--json'];
      const { id }: { id: string } = JSON.parse(await command(['token', 'create', ...options]));
      ids.set(name, id);
      const createdAt = new Date(now - age);
      await client.query('UPDATE tokens SET created_at = $2 WHERE id = $1', [id, createdAt]);
      await rewriteHistory(client, id, createdAt);
      const used = usedAgo === undefined ? null : now - usedAgo;
      const refused = refusedAgo === undefined ? null : now - refusedAgo;
      await client.query(
        `UPDATE token_usage SET last_used_at = $2, last_refused_at = $3,
           last_refused_reason = CASE WHEN $3::timestamptz IS NULL THEN NULL ELSE 'insufficient_scope' END
         WHERE token_id = $1`,
        [id, used && new Date(used), refused && new Date(refused)],
      );
      if (usedFrom.length === 0) continue;
      const addresses = (at: number | null, from: readonly string[], more = {}) =>
        JSON.stringify(
          at === null
            ? []
            : from.map((address, index) => ({
                address,
                first: at - 30 * DAY,
                last: at - index * 17 * MINUTE,
                times: 1200 - index * 700,
                ...more,
              })),
        );
      await client.query('INSERT INTO token_addresses (token_id, used, refused) VALUES ($1, $2, $3)', [
        id,
        addresses(used, usedFrom),
        addresses(refused, refusedFrom, { reason: 'insufficient_scope' }),
      ]);
    }
  } finally {
    await client.end();
  }
  return (name: string) => ids.get(name) ?? '';
}

/**
 * Changes when and from which machine the token was made. Only the owner of the tables can do so, after removing the
 * log's protection.
 */
async function rewriteHistory(client: pg.Client, token: string, at: Date): Promise<void> {
  await client.query('BEGIN');
  await client.query('ALTER TABLE audit_events DISABLE TRIGGER audit_events_stay');
  const { rowCount } = await client.query(
    `UPDATE audit_events SET at = $2, origin = '10.0.1.20' WHERE subject_type = 'token' AND subject_id = $1`,
    [token, at],
  );
  if (rowCount !== 1) throw new Error(`the token has ${rowCount} events`);
  await client.query('ALTER TABLE audit_events ENABLE TRIGGER audit_events_stay');
  await client.query('COMMIT');
}
