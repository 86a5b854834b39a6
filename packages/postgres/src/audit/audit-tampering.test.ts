import { type ExportAnchor, pruneAuditEvents } from '@gatehouse/domain/audit';
import { exportedLines, OPERATOR, unwrap, verified } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { aSealedStore, INSERT_EVENT, INSERT_EVENT_AS } from '../../testing/sealed-store.ts';

const UNGUARDED = `alter table audit_events disable trigger user; alter table audit_seals disable trigger user`;

async function aLog() {
  const opened = await aSealedStore();
  const { client, ports } = opened;
  await client.query(`begin; insert into audit_events (at, actor, origin, action, subject_type, subject_id, details)
    values ('2026-01-01Z', '{}', 'never', 'account.created', 'account', '1', '{}'); rollback`);
  for (const origin of ['a', 'b']) await client.query(INSERT_EVENT, [origin]);
  await client.query(INSERT_EVENT.replace(`'{}'`, `'{"count":1}'`), ['c']);
  const lines = await exportedLines(ports);
  return { ...opened, lines };
}

const TABLE_CHANGES = [
  ['create table heir () inherits (audit_events)', 'audit_events inherits, or is inherited from'],
  ['alter table audit_events enable row level security', 'audit_events has row-level security'],
  ['create rule hidden as on insert to audit_seals do also select 1', 'audit_seals has the rule hidden'],
  [
    'alter table audit_events alter at type timestamptz(6)',
    'not any more: audit_events has the column at timestamp(3) with time zone',
  ],
  [
    'alter table audit_events add check (account_id <> 7)',
    'audit_events has the constraint CHECK ((account_id <> 7))',
  ],
  ['select 1', 'audit_events has the trigger audit_events_stay, disabled'],
].map(([statement = '', what]): [string, string, object] => [
  `makes another table of it (${statement})`,
  statement,
  { kind: 'table_changed', what },
]);

describe('what a role with all rights in the database does to the log is named', () => {
  test.each<[string, string, object]>([
    [
      'changes an event',
      `update audit_events set origin = 'x' where id = 4`,
      { kind: 'event_changed', position: 3, id: 4 },
    ],
    [
      'gives an event a time without end',
      `update audit_events set at = 'infinity' where id = 4`,
      { kind: 'event_changed', position: 3, id: 4 },
    ],
    [
      'gives an event an account that is no safe integer',
      `update audit_events set account_id = ${2n ** 60n} where id = 4`,
      { kind: 'event_changed', position: 3, id: 4 },
    ],
    [
      'gives an event another id',
      `alter table audit_events alter id drop identity; update audit_events set id = 3 where id = 4`,
      { kind: 'event_removed', position: 3, id: 4 },
    ],
    [
      'removes an event',
      `delete from audit_events where id = 4`,
      { kind: 'event_removed', position: 3, id: 4 },
    ],
    ['removes all', `truncate audit_events`, { kind: 'event_removed', position: 1, id: 1 }],
    [
      'changes a seal',
      `update audit_seals set line_hashes = reverse(line_hashes)`,
      { kind: 'seal_changed', first: 1, last: 5 },
    ],
    [
      'calls events pruned that are there',
      `update audit_seals set pruned_at = now(), pruned_mac = mac`,
      { kind: 'pruning_forged', first: 1, last: 5 },
    ],
    [
      'gives a seal a time without end',
      `update audit_seals set sealed_at = 'infinity'`,
      { kind: 'seal_changed', first: 1, last: 5 },
    ],
    [
      'gives an event a part of a millisecond',
      `alter table audit_events alter at type timestamptz(6); update audit_events set at = at + interval '0.4 ms' where id = 4`,
      { kind: 'event_changed', position: 3, id: 4 },
    ],
    [
      'gives an event a number that is read as the same one',
      `update audit_events set details = '{"count":1.00000000000000000001}' where id = 6`,
      { kind: 'event_changed', position: 5, id: 6 },
    ],
    [
      'writes an event with an id that is taken',
      `alter table audit_events drop constraint audit_events_pkey;
       insert into audit_events overriding system value select * from audit_events where id = 4`,
      { kind: 'event_inserted', id: '4' },
    ],
    ...TABLE_CHANGES,
    [
      'calls events pruned',
      `delete from audit_events; update audit_seals set pruned_at = now(), pruned_mac = mac`,
      { kind: 'event_removed', position: 5, id: 6 },
    ],
  ])('that it %s', async (_, statement, finding) => {
    const { client, ports, lines } = await aLog();
    await client.query(`${UNGUARDED}; ${statement}`);
    for (const exported of [undefined, lines]) {
      expect((await verified(ports, exported)).findings).toContainEqual(finding);
    }
  });

  test('that it inserts an event among the first, and says that one was awaited there', async () => {
    const { client, ports, seal } = await aLog();
    await client.query(`insert into audit_gaps values (-10, -1, '{}')`);
    await client.query(INSERT_EVENT_AS, ['x', -5]);
    const findings = [{ kind: 'event_inserted', id: '-5' }];
    expect((await verified(ports)).findings).toEqual(findings);
    await seal();
    expect((await verified(ports)).findings).toEqual(findings);
  });

  test.each([3, 0, -1, 1000, 2n ** 60n, -(2n ** 60n)])(
    'that it inserts an event with the id %s',
    async (id) => {
      const { client, ports, seal } = await aLog();
      await seal();
      await client.query(INSERT_EVENT_AS, ['x', id]);
      await seal();
      const found = await verified(ports);
      expect(found.findings).toEqual([{ kind: 'event_inserted', id: String(id) }]);
      expect(found).toMatchObject({ sealed: 5, unsealed: 0 });
    },
  );

  test('and an event with a greater id than the log has given does not keep others from being sealed', async () => {
    const { client, ports } = await aLog();
    await client.query(INSERT_EVENT_AS, ['x', 1000]);
    await client.query(INSERT_EVENT, ['next']);
    expect((await exportedLines(ports, 5)).join('\n')).toContain('"origin":"next"');
  });

  test('that it puts an event back that was pruned', async () => {
    const { client, ports, lines } = await aLog();
    const anchor: ExportAnchor = JSON.parse(lines.at(-1) ?? '').seal;
    unwrap(await pruneAuditEvents(ports)(OPERATOR, anchor));
    expect(await verified(ports, lines)).toMatchObject({ pruned: 5, found: 0 });
    await client.query(INSERT_EVENT_AS, ['c', 6]);
    expect((await verified(ports, lines)).findings).toEqual([{ kind: 'event_inserted', id: '6' }]);
  });
});

describe('the tables refuse by themselves, so that no mistake changes the log', () => {
  test.each([
    [`update audit_events set origin = 'x'`, 'audit events are never changed and never deleted'],
    [`delete from audit_events`, 'audit events are never changed and never deleted'],
    [`truncate audit_events`, 'audit events are never changed and never deleted'],
    [
      `set gatehouse.pruned_seal = '5'; delete from audit_events`,
      'audit events are deleted only with their seal',
    ],
    [
      `set gatehouse.pruned_seal = '5'; update audit_events set origin = 'x'`,
      'audit events are never changed and never deleted',
    ],
    [`delete from audit_seals`, 'audit seals are never changed and never deleted'],
    [`truncate audit_seals`, 'audit seals are never changed and never deleted'],
    [`update audit_seals set mac = 'x'`, 'audit seals are never changed and never deleted'],
    [
      `update audit_seals set mac = 'x', pruned_at = now(), pruned_mac = 'x'`,
      'audit seals are never changed and never deleted',
    ],
  ])('%s', async (statement, message) => {
    const { client } = await aLog();
    await expect(client.query(statement)).rejects.toThrow(message);
  });
});
