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
  for (const origin of ['a', 'b', 'c']) await client.query(INSERT_EVENT, [origin]);
  const lines = await exportedLines(ports);
  return { ...opened, lines };
}

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
