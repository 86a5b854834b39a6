import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../../stage.ts';

const EVERY_MS = 100;

const INSERT = `
  insert into audit_events (at, actor, origin, action, subject_type, subject_id, account_id, details)
  select now(), '{"kind":"operator","name":"bench"}', 'bench', 'token.created', 'token', serial::text,
    1 + serial % $2::int, '{"name":"ERP","scopes":["orgs:read"]}'
  from generate_series($3::bigint + 1, $3::bigint + $1::int) as serial`;

interface SteadyEvents {
  readonly url: string;
  readonly perMinute: number;
  readonly accounts: number;
}

/**
 * Writes audit events at a constant rate until it is stopped. Returns a function that stops it and returns their
 * number.
 */
export function writeSteadily({ url, perMinute, accounts }: SteadyEvents): () => Promise<number> {
  const stopping = new AbortController();
  const written = withClient(url, async (client) => {
    const startedAt = performance.now();
    let count = 0;
    while (!stopping.signal.aborted) {
      const due = Math.floor(((performance.now() - startedAt) / 60_000) * perMinute) - count;
      if (due > 0) await client.query(INSERT, [due, accounts, count]);
      count += due;
      await delay(EVERY_MS);
    }
    return count;
  });
  // A failure is reported when it is stopped.
  written.catch(() => undefined);
  return () => {
    stopping.abort();
    return written;
  };
}
