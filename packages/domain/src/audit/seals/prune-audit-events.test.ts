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
  verified,
  type World,
  withSeals,
} from '../../../testing/index.ts';
import { exportAuditEvents } from './export-audit-events.ts';
import { pruneAuditEvents } from './prune-audit-events.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
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
    const forged = withSeals(world, (seal) => ({ ...seal, pruned: { at: world.clock.now(), mac: 'x' } }));
    const gone = tampered(forged, () => undefined);
    expect((await verified(gone)).findings).toEqual([
      { kind: 'pruning_forged', first: 1, last: 2 },
      { kind: 'event_removed', position: 1, id: 1 },
      { kind: 'event_removed', position: 2, id: 2 },
    ]);
  });

  test('by one who has no seal key leaves nothing out of an export, which says that the log is damaged', async () => {
    const lines = await exportedLines(world);
    const forged = withSeals(world, (seal) => ({ ...seal, pruned: { at: world.clock.now(), mac: 'x' } }));
    const seals = await collected(unwrap(await exportAuditEvents(forged)(OPERATOR, { after: 0 })));
    expect(seals).toMatchObject([{ damaged: true, lines }]);
  });

  test('of another seal is no excuse for one who has no seal key, and takes no proof from the export', async () => {
    const lines = await exportedLines(world);
    unwrap(await prune(lines));
    await givenEvents(world, 1);
    const later = await exportedLines(world);
    expect(later).toHaveLength(4);
    // The seal that was pruned, with its proof, made to cover the events after it, too.
    const next = anchorOf(later);
    const forged = withSeals(world, (seal) =>
      seal.first === 1 ? { ...seal, last: next.last, ids: [[1, next.last]] } : undefined,
    );
    const seals = await collected(unwrap(await exportAuditEvents(forged)(OPERATOR, { after: 0 })));
    expect(seals).toMatchObject([{ damaged: true }]);
    expect(seals[0]?.lines.join()).not.toContain('pruned_');
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
