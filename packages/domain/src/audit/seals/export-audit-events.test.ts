import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  anchorOf,
  collected,
  createWorld,
  exportedLines,
  givenEvents,
  OPERATOR,
  positionsIn,
  tampered,
  unwrap,
  type World,
  withSeals,
} from '../../../testing/index.ts';
import { exportAuditEvents } from './export-audit-events.ts';
import { hashesOf, linesFrom } from './make-seal.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

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
    const lines = await exportedLines(world);
    await givenEvents(world, 1);
    const run = (end: readonly string[], isAll = true) =>
      exportAuditEvents(world)(OPERATOR, { continues: { lines: end, isAll } });
    const [seal] = await collected(unwrap(await run(lines)));
    expect(positionsIn(seal?.lines ?? [])).toEqual([3]);
    const { mac } = anchorOf(lines);
    const otherMac = [...mac].reverse().join('');
    const another = lines.map((line) => line.replace(mac, otherMac));
    expect(await run(another)).toEqual({ ok: false, error: { code: 'audit_anchor_unknown' } });
    // An export may begin within a seal, and go on in no other place with a part of one.
    expect(await run(lines.slice(1))).toMatchObject({ ok: true });
    expect(await run(lines.slice(1), false)).toEqual({ ok: false, error: { code: 'export_end_changed' } });
  });

  test('says that the log is damaged where a seal was made for other events without the key', async () => {
    await exportedLines(world);
    const changed = tampered(world, ({ id, event }) => ({ id, event: { ...event, origin: 'x' } }));
    const lines = linesFrom(1, await changed.auditSeals.readEvents([[1, 2]]));
    const forged = withSeals(world, (seal) => ({ ...seal, ...hashesOf(world.sealCryptography, lines) }));
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
