import type { AuditFinding } from '@gatehouse/domain/audit';
import type { SealedLog } from './sealed-log.ts';

/**
 * A change that a role of the database makes to one event, and the finding that must name it. `$1` is the event's id.
 */
interface Tampering {
  readonly statement: string;
  readonly kind: AuditFinding['kind'];
}

/** Each is undone with the former rows of the table. */
export const TAMPERINGS: readonly Tampering[] = [
  { statement: `update audit_events set at = at - interval '1 ms' where id = $1`, kind: 'event_changed' },
  {
    statement: `update audit_events set actor = '{"kind":"operator","name":"x"}' where id = $1`,
    kind: 'event_changed',
  },
  { statement: `update audit_events set origin = origin || ' ' where id = $1`, kind: 'event_changed' },
  { statement: `update audit_events set action = action || '.' where id = $1`, kind: 'event_changed' },
  { statement: `update audit_events set subject_id = 'x' where id = $1`, kind: 'event_changed' },
  {
    statement: `update audit_events set account_id = coalesce(account_id, 0) + 1 where id = $1`,
    kind: 'event_changed',
  },
  {
    statement: `update audit_events set details = details || '{"reason":"x"}' where id = $1`,
    kind: 'event_changed',
  },
  { statement: `delete from audit_events where id = $1`, kind: 'event_removed' },
  {
    statement: `insert into audit_events overriding system value
      select -id, at, actor, origin, action, subject_type, subject_id, account_id, details from audit_events where id = $1`,
    kind: 'event_inserted',
  },
  {
    statement: `insert into audit_events overriding system value
      select id + 1000000000, at, actor, origin, action, subject_type, subject_id, account_id, details
      from audit_events where id = $1`,
    kind: 'event_inserted',
  },
];

/**
 * Changes the tables, as their owner can, and restores their triggers, because `audit verify` would report missing
 * ones.
 */
export async function unguarded({ client }: SealedLog, change: () => Promise<unknown>): Promise<void> {
  const turn = (state: 'disable' | 'enable') =>
    client.query(
      `alter table audit_events ${state} trigger user; alter table audit_seals ${state} trigger user`,
    );
  await turn('disable');
  await change();
  await turn('enable');
}

/** Makes the change to an event, and returns whether it is found. Then undoes it from the table `kept`. */
export async function isNamed(log: SealedLog, { statement, kind }: Tampering, id: number): Promise<boolean> {
  const { client } = log;
  await unguarded(log, () => client.query(statement, [id]));
  const { findings } = await log.verify();
  await unguarded(log, async () => {
    await client.query('delete from audit_events where id = $1 or id = -$1 or id = $1 + 1000000000', [id]);
    await client.query('insert into audit_events overriding system value select * from kept where id = $1', [
      id,
    ]);
  });
  const [finding] = findings;
  if (findings.length !== 1 || finding?.kind !== kind || !('id' in finding)) return false;
  return kind === 'event_inserted'
    ? [`${-id}`, `${id + 1_000_000_000}`].includes(String(finding.id))
    : finding.id === id;
}
