import { beforeEach, describe, expect, test } from 'vitest';
import {
  createWorld,
  exportedLines,
  givenEvents,
  tampered,
  verified,
  type World,
  withSeals,
} from '../../../testing/index.ts';
import { addMilliseconds } from '../../time/instant.ts';
import type { AuditSeal, StoredEvent } from './audit-seal.ts';
import type { AuditSeals } from './audit-seals.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

describe('verifying', () => {
  test('finds nothing in a log as it was sealed, and in its export', async () => {
    await givenEvents(world, 600);
    const lines = await exportedLines(world);
    await givenEvents(world, 2);
    expect(await verified(world, lines)).toEqual({
      sealed: 602,
      pruned: 0,
      unsealed: 2,
      compared: 602,
      begins: 1,
      anchor: 602,
      found: 0,
      findings: [],
    });
    expect(await verified(world, lines.slice(-1))).toMatchObject({ compared: 0, anchor: 602, found: 0 });
    expect(await verified(world, lines.slice(200))).toMatchObject({ compared: 402, begins: 201, found: 0 });
  });

  test('says that a log was never sealed', async () => {
    await expect(verified(world)).rejects.toThrow('audit_not_sealed');
  });

  test.each<[string, Parameters<typeof tampered>[1]]>([
    ['its time', ({ id, event }) => ({ id, event: { ...event, at: addMilliseconds(event.at, 1) } })],
    ['its actor', ({ id, event }) => ({ id, event: { ...event, actor: { kind: 'operator', name: 'x' } } })],
    ['its origin', ({ id, event }) => ({ id, event: { ...event, origin: 'x' } })],
    ['its action', ({ id, event }) => ({ id, event: { ...event, action: 'x.y' } })],
    ['its subject', ({ id, event }) => ({ id, event: { ...event, subject: { type: 'x', id: 'y' } } })],
    ['its account', ({ id, event }) => ({ id, event: { ...event, accountId: 9 as never } })],
    ['its details', ({ id, event }) => ({ id, event: { ...event, details: { ...event.details, x: 1 } } })],
  ])('names an event of which a role of the database changed %s', async (_, change) => {
    await givenEvents(world, 10);
    await exportedLines(world);
    const changed = tampered(world, (event) => (event.id === 7 ? change(event) : event));
    expect((await verified(changed)).findings).toEqual([{ kind: 'event_changed', position: 7, id: 7 }]);
  });

  test('names an event that was removed', async () => {
    const lines = await exportedLines(world);
    const removed = tampered(world, (event) => (event.id === 2 ? undefined : event));
    const findings = [{ kind: 'event_removed', position: 2, id: 2 }];
    expect((await verified(removed)).findings).toEqual(findings);
    expect((await verified(removed, lines)).findings).toEqual(findings);
  });

  test('does not need the order in which members of details are stored', async () => {
    await world.accounts.insert({ name: 'A', createdAt: world.clock.now() }, () => ({
      ...unorderedEvent({ b: 1, a: [1, 2] }),
    }));
    await exportedLines(world);
    const reordered = tampered(world, (stored) =>
      stored.id === 3 ? { ...stored, event: unorderedEvent({ a: [1, 2], b: 1 }) } : stored,
    );
    expect(await verified(reordered)).toMatchObject({ sealed: 3, found: 0 });
  });

  test('finds a change that hides behind an equal beginning of its hash', async () => {
    await exportedLines(world);
    const { hash } = world.sealCryptography;
    // As for one who found another line with the same beginning of its hash.
    const sealCryptography = {
      ...world.sealCryptography,
      hash: (text: string) =>
        text.includes('"origin":"x"') && !text.includes('\n')
          ? hash(text.replace('"x"', '"test"'))
          : hash(text),
    };
    const changed = tampered({ ...world, sealCryptography }, ({ id, event }) => ({
      id,
      event: { ...event, origin: id === 1 ? 'x' : event.origin },
    }));
    expect((await verified(changed)).findings).toEqual([{ kind: 'events_changed', first: 1, last: 2 }]);
  });

  test.each<[string, (seal: AuditSeal) => AuditSeal]>([
    ['ids', (seal) => ({ ...seal, ids: [[2, 3]] })],
    ['digest', (seal) => ({ ...seal, digest: 'x' })],
    ['hashes', (seal) => ({ ...seal, lineHashes: `${seal.lineHashes}x` })],
    ['time', (seal) => ({ ...seal, sealedAt: addMilliseconds(seal.sealedAt, 1) })],
    ['end of the ids that were looked for', (seal) => ({ ...seal, throughId: seal.throughId + 1 })],
    ['MAC', (seal) => ({ ...seal, mac: 'x' })],
  ])('names the seal of which a role of the database changed the %s', async (_, change) => {
    await exportedLines(world);
    const changed = withSeals(world, change);
    expect((await verified(changed)).findings).toContainEqual({ kind: 'seal_changed', first: 1, last: 2 });
  });

  test('names the positions whose seal was removed', async () => {
    await exportedLines(world);
    await givenEvents(world, 1);
    await exportedLines(world);
    await givenEvents(world, 1);
    await exportedLines(world);
    const findings = (removed: number) =>
      verified(withSeals(world, (seal) => (seal.first === removed ? undefined : seal)));
    expect((await findings(1)).findings).toContainEqual({ kind: 'seals_removed', first: 1, last: 2 });
    expect((await findings(3)).findings).toContainEqual({ kind: 'seals_removed', first: 3, last: 3 });
  });

  test('notices by an anchor that the end of the log was removed with its seals, and not without one', async () => {
    await exportedLines(world);
    await givenEvents(world, 1);
    const lines = await exportedLines(world);
    const cut = withSeals(world, (seal) => (seal.first === 3 ? undefined : seal));
    expect((await verified(cut, lines.slice(-1))).findings).toContainEqual({
      kind: 'log_ends_early',
      last: 2,
      exported: 3,
    });
    expect((await verified(cut)).findings).toEqual([]);
  });

  test('notices by an anchor that the log is another one', async () => {
    const other = await createWorld();
    await givenEvents(other, 1);
    const lines = await exportedLines({ ...other, sealCryptography: world.sealCryptography });
    await givenEvents(world, 2);
    await exportedLines(world);
    const found = await verified(world, lines.slice(-1));
    expect(found.findings).toEqual([{ kind: 'anchor_differs', line: 1, last: 3 }]);
    expect(found.anchor).toBe(0);
  });

  test.each<[string, (lines: string[]) => unknown, object]>([
    [
      'changed',
      (lines) => lines.splice(1, 1, (lines[1] ?? '').replace('test', 'x')),
      { kind: 'line_changed', line: 2, position: 2 },
    ],
    ['removed', (lines) => lines.splice(1, 1), { kind: 'lines_removed', first: 2, last: 2 }],
    ['repeated', (lines) => lines.splice(1, 0, lines[0] ?? ''), { kind: 'line_out_of_place', line: 2 }],
    [
      'made unreadable',
      (lines) => lines.splice(2, 1, '{"position":3,'),
      { kind: 'line_unreadable', line: 3 },
    ],
    ...(['digest', 'sealed_at', 'previous'] as const).map(
      (member): [string, (lines: string[]) => unknown, object] => [
        `changed in the ${member} of its seal`,
        (lines) => lines.splice(4, 1, withMember(lines[4] ?? '', member)),
        { kind: 'seal_line_changed', line: 5, last: 4 },
      ],
    ),
  ])('names a line of the export that was %s', async (_, change, finding) => {
    await givenEvents(world, 2);
    const lines = [...(await exportedLines(world))];
    change(lines);
    expect((await verified(world, lines)).findings).toContainEqual(finding);
  });

  test('keeps a thousand findings of each kind, and counts the others', async () => {
    await givenEvents(world, 1198);
    await exportedLines(world);
    const found = await verified(tampered(world, () => undefined));
    expect(found.found).toBe(1200);
    expect(found.findings).toHaveLength(1000);
    const hiding = tampered(world, ({ id, event }) =>
      id === 1200 ? undefined : { id, event: { ...event, origin: 'x' } },
    );
    const removed = { kind: 'event_removed', position: 1200, id: 1200 };
    expect((await verified(hiding)).findings).toContainEqual(removed);
  });

  test('names an id that the log has twice, in whatever order it shows the two', async () => {
    await exportedLines(world);
    const forged = (event: StoredEvent) => ({ ...event, event: { ...event.event, origin: 'x' } });
    for (const twice of [
      (event: StoredEvent) => [event, forged(event)],
      (event: StoredEvent) => [forged(event), event],
    ]) {
      const readEvents: AuditSeals['readEvents'] = async (ids) =>
        (await world.auditSeals.readEvents(ids)).flatMap((event) => (event.id === 2 ? twice(event) : event));
      const auditSeals = { ...world.auditSeals, readEvents };
      expect((await verified({ ...world, auditSeals })).findings).toContainEqual({
        kind: 'event_inserted',
        id: '2',
      });
    }
  });

  test('says how the tables differ from their migrations', async () => {
    await exportedLines(world);
    const auditSeals = { ...world.auditSeals, findTableChanges: async () => ['audit_events has a rule'] };
    expect((await verified({ ...world, auditSeals })).findings).toEqual([
      { kind: 'table_changed', what: 'audit_events has a rule' },
    ]);
  });

  test('takes no signing key for the seal key', async () => {
    await exportedLines(world);
    const [key] = await world.signingKeys.list();
    if (!key) throw new Error('there is no key');
    const auditSeals = { ...world.auditSeals, findKey: async () => key };
    await expect(verified({ ...world, auditSeals })).rejects.toThrow('audit_not_sealed');
  });
});

/** The line of a seal with another value, of the same form. */
function withMember(line: string, member: 'digest' | 'sealed_at' | 'previous'): string {
  const { seal } = JSON.parse(line);
  const value = member === 'sealed_at' ? '2026-01-01T00:00:01.000Z' : 'x';
  return JSON.stringify({ seal: { ...seal, [member]: value } });
}

function unorderedEvent(details: Readonly<Record<string, number | readonly number[]>>) {
  return {
    at: 0 as never,
    actor: { kind: 'operator', name: 'root' } as const,
    origin: 'test',
    action: 'account.created' as const,
    subject: { type: 'account', id: '1' },
    accountId: null,
    details: details as never,
  };
}
