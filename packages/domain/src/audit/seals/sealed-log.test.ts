import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  collected,
  createFakeKeyEncryption,
  createWorld,
  exportedLines,
  givenEvents,
  OPERATOR,
  tampered,
  unwrap,
  verified,
  type World,
} from '../../../testing/index.ts';
import { rewrapKeys } from '../../signing-keys/rewrap-keys.ts';
import { addMilliseconds } from '../../time/instant.ts';
import type { AuditSeal, StoredEvent } from './audit-seal.ts';
import type { AuditSeals } from './audit-seals.ts';
import { exportAuditEvents } from './export-audit-events.ts';
import { hashesOf, linesFrom } from './make-seal.ts';
import { pruneAuditEvents } from './prune-audit-events.ts';
import { sealAuditEvents } from './seal-audit-events.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const positionsIn = (lines: readonly string[]) => lines.flatMap((line) => JSON.parse(line).position ?? []);
const anchorOf = (lines: readonly string[]) => JSON.parse(lines.at(-1) ?? '').seal;
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** The seals as another client changed them. */
function withSeals(change: (seal: AuditSeal) => AuditSeal | undefined): World {
  const list: AuditSeals['list'] = async (page) =>
    (await world.auditSeals.list(page)).flatMap((seal) => change(seal) ?? []);
  return { ...world, auditSeals: { ...world.auditSeals, list } };
}

describe('sealing', () => {
  test('seals five hundred events at once, and says whether there are more', async () => {
    await givenEvents(world, 700);
    const seal = sealAuditEvents(world);
    expect(await seal()).toEqual({ ok: true, value: { sealed: 500, more: true } });
    expect(await seal()).toMatchObject({ value: { sealed: 202, more: false } });
    expect(await seal()).toMatchObject({ value: { sealed: 0, more: false } });
    expect(await verified(world)).toMatchObject({ sealed: 702, unsealed: 0, found: 0 });
  });

  test('goes on with the key that it opened, after the master key was replaced', async () => {
    const seal = sealAuditEvents(world);
    await seal();
    const [next, before] = [createFakeKeyEncryption('next'), world.encryption];
    await rewrapKeys({
      ...world,
      masterKeys: { replace: (work) => work({ current: before, next, complete: async () => undefined }) },
    })(OPERATOR);
    expect(await seal()).toMatchObject({ ok: true, value: { sealed: 2 } });
    const refused = { ok: false, error: { code: 'master_key_rejected' } };
    expect(await sealAuditEvents(world)()).toEqual(refused);
    expect(await verified({ ...world, encryption: next })).toMatchObject({ sealed: 4, found: 0 });
  });
});

describe('an export', () => {
  test('has each event once with its position, also when another one continues it', async () => {
    await givenEvents(world, 600);
    const first = await exportedLines(world);
    expect(positionsIn(first)).toEqual(upTo(602));
    await givenEvents(world, 3);
    expect(positionsIn(await exportedLines(world, 602))).toEqual([603, 604, 605]);
    expect(positionsIn(await exportedLines(world, 601))).toEqual([602, 603, 604, 605]);
    expect(await exportedLines(world, 605)).toEqual([]);
  });

  test('has lines whose SHA-256 is the digest of their seal', async () => {
    const lines = await exportedLines(world);
    const digest = createHash('sha256')
      .update(`${lines.slice(0, -1).join('\n')}\n`)
      .digest('base64url');
    expect(anchorOf(lines)).toMatchObject({ first: 1, last: 2, digest });
    expect(lines[0]).toMatch(
      /^\{"position":1,"id":1,"at":"2026-01-01T00:00:00.000Z","actor":\{"kind":"operator",/,
    );
  });

  test('continues nothing that the log has not reached: it is of another one', async () => {
    expect(await exportAuditEvents(world)(OPERATOR, { after: 3 })).toEqual({
      ok: false,
      error: { code: 'audit_position_unknown', last: 2 },
    });
  });

  test('continues one whose anchor is at hand only if it is of this log', async () => {
    const { last, mac } = anchorOf(await exportedLines(world));
    await givenEvents(world, 1);
    const run = (anchor: string) => exportAuditEvents(world)(OPERATOR, { after: last, mac: anchor });
    expect(await collected(unwrap(await run(mac)))).toHaveLength(1);
    expect(await run('x')).toEqual({ ok: false, error: { code: 'audit_anchor_unknown' } });
  });

  test('says that the log is damaged where a seal was made for other events without the key', async () => {
    await exportedLines(world);
    const changed = tampered(world, ({ id, event }) => ({ id, event: { ...event, origin: 'x' } }));
    const lines = linesFrom(1, await changed.auditSeals.readEvents([[1, 2]]));
    const forged = withSeals((seal) => ({ ...seal, ...hashesOf(world.sealCryptography, lines) }));
    const auditSeals = { ...changed.auditSeals, list: forged.auditSeals.list };
    const ports = { ...world, auditSeals };
    const seals = await collected(unwrap(await exportAuditEvents(ports)(OPERATOR, { after: 0 })));
    expect(seals).toMatchObject([{ damaged: true }]);
  });

  test('goes on over what is missing in the log, and says so', async () => {
    await exportedLines(world);
    const damaged = tampered(world, (event) => (event.id === 1 ? undefined : event));
    const seals = await collected(unwrap(await exportAuditEvents(damaged)(OPERATOR, { after: 0 })));
    expect(seals).toMatchObject([{ damaged: true }]);
    expect(positionsIn(seals[0]?.lines ?? [])).toEqual([2]);
  });
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
    const changed = withSeals(change);
    expect((await verified(changed)).findings).toContainEqual({ kind: 'seal_changed', first: 1, last: 2 });
  });

  test('names the positions whose seal was removed', async () => {
    await exportedLines(world);
    await givenEvents(world, 1);
    await exportedLines(world);
    await givenEvents(world, 1);
    await exportedLines(world);
    const findings = (removed: number) =>
      verified(withSeals((seal) => (seal.first === removed ? undefined : seal)));
    expect((await findings(1)).findings).toContainEqual({ kind: 'seals_removed', first: 1, last: 2 });
    expect((await findings(3)).findings).toContainEqual({ kind: 'seals_removed', first: 3, last: 3 });
  });

  test('notices by an anchor that the end of the log was removed with its seals, and not without one', async () => {
    await exportedLines(world);
    await givenEvents(world, 1);
    const lines = await exportedLines(world);
    const cut = withSeals((seal) => (seal.first === 3 ? undefined : seal));
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

  test('says what of the tables is not as it was made', async () => {
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

describe('pruning', () => {
  const prune = (lines: readonly string[]) => pruneAuditEvents(world)(OPERATOR, anchorOf(lines));

  test('deletes what was exported, seal by seal, and the rest verifies, also against the export', async () => {
    await givenEvents(world, 598);
    const lines = await exportedLines(world);
    await givenEvents(world, 1);
    expect(unwrap(await prune(lines))).toEqual({ pruned: 500, more: true });
    expect(unwrap(await prune(lines))).toEqual({ pruned: 100, more: false });
    expect(unwrap(await prune(lines))).toEqual({ pruned: 0, more: false });
    const [event] = await world.audit.list({ limit: 1 });
    expect(event?.event).toMatchObject({
      action: 'audit.pruned',
      subject: { type: 'audit', id: '501-600' },
      details: { first: 501, last: 600 },
      actor: { kind: 'operator', name: 'root' },
    });
    const later = await exportedLines(world);
    expect(positionsIn(later)).toEqual([601, 602, 603]);
    for (const exported of [undefined, lines, later]) {
      expect(await verified(world, exported)).toMatchObject({ sealed: 603, pruned: 600, found: 0 });
    }
  });

  test('deletes nothing for an anchor that is not of this log', async () => {
    const refused = { ok: false, error: { code: 'audit_anchor_unknown' } };
    const anchor = anchorOf(await exportedLines(world));
    expect(await pruneAuditEvents(world)(OPERATOR, { ...anchor, mac: 'x' })).toEqual(refused);
    expect(await pruneAuditEvents(world)(OPERATOR, { ...anchor, last: 1 })).toEqual(refused);
    expect(await verified(world)).toMatchObject({ pruned: 0, found: 0 });
  });

  test('deletes nothing that is not as it was sealed', async () => {
    const anchor = anchorOf(await exportedLines(world));
    const damaged = tampered(world, (event) => (event.id === 1 ? undefined : event));
    expect(await pruneAuditEvents(damaged)(OPERATOR, anchor)).toEqual({
      ok: false,
      error: { code: 'audit_log_damaged', first: 1, last: 2 },
    });
  });

  test('is no excuse for one who has no seal key: what is missing was removed', async () => {
    await exportedLines(world);
    const forged = withSeals((seal) => ({ ...seal, pruned: { at: world.clock.now(), mac: 'x' } }));
    const gone = tampered(forged, () => undefined);
    expect((await verified(gone)).findings).toEqual([
      { kind: 'pruning_forged', first: 1, last: 2 },
      { kind: 'event_removed', position: 1, id: 1 },
      { kind: 'event_removed', position: 2, id: 2 },
    ]);
  });

  test('by one who has no seal key leaves nothing out of an export, which says that the log is damaged', async () => {
    const lines = await exportedLines(world);
    const forged = withSeals((seal) => ({ ...seal, pruned: { at: world.clock.now(), mac: 'x' } }));
    const seals = await collected(unwrap(await exportAuditEvents(forged)(OPERATOR, { after: 0 })));
    expect(seals).toMatchObject([{ damaged: true, lines }]);
  });

  test('ends an export before the first seal with an event of a later time', async () => {
    await exportedLines(world);
    world.clock.advance(1000);
    await givenEvents(world, 1);
    const seals = await collected(
      unwrap(await exportAuditEvents(world)(OPERATOR, { after: 0, olderThanMs: 0 })),
    );
    expect(seals.map(({ seal }) => seal.last)).toEqual([2]);
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
