import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  anchorOf,
  createWorld,
  exportedLines,
  givenAccount,
  givenEvents,
  givenPerson,
  givenToken,
  inPerson,
  linesOf,
  OPERATOR,
  unwrap,
  verified,
  type World,
} from '../../testing/index.ts';
import { type Tampering, tampered, tamperings } from '../../testing/tampered-lines.ts';
import { revokeToken } from '../tokens/administration/revoke-token.ts';
import { reapplyAuditEvents } from './reapply/reapply-audit-events.ts';
import { exportAuditEvents } from './seals/export-audit-events.ts';
import { pruneAuditEvents } from './seals/prune-audit-events.ts';

const RUNS = { numRuns: 500, seed: Number(process.env.FUZZ_SEED ?? 33) };

type Lines = readonly string[];

/** A log, its export, and lines from elsewhere that are genuine there. */
interface History {
  /** As it was at the backup: with the first two seals. */
  readonly backup: World;
  /** As it was when it was exported: with six seals. */
  readonly live: World;
  readonly lines: Lines;
  /** The lines of each seal. */
  readonly batches: readonly Lines[];
  /** The lines of the first four seals in an export after their events were pruned. */
  readonly pruned: Lines;
  /** Of another installation, of this one after an earlier restore, and of pruned events as an older version wrote them. */
  readonly foreign: Lines;
}

let history: History;
beforeAll(async () => {
  const world = await createWorld();
  const batches: Lines[] = [];
  const seal = async () => {
    world.clock.advance(60_000);
    batches.push(await exportedLines(world, batches.length === 0 ? 0 : anchorOf(batches.at(-1) ?? []).last));
  };
  const ada = await givenPerson(world, {
    accountId: (await givenAccount(world)).id,
    email: 'ada@acme.example',
  });
  const tokens = [];
  for (const name of ['ERP', 'Scale', 'Wiki', 'Press']) tokens.push(await givenToken(world, ada, { name }));
  await seal();
  await givenEvents(world, 2);
  await seal();
  const [backup, earlier] = [world.backUp(), { ...world, ...world.backUp() }];
  for (const { id } of tokens) {
    unwrap(await revokeToken(world)(inPerson(ada), { id, reason: 'leaked' }));
    await givenEvents(world, 1);
    await seal();
  }
  const live = { ...world, ...world.backUp() };
  const fourth = anchorOf(batches[3] ?? []);
  while (unwrap(await pruneAuditEvents(world)(OPERATOR, fourth)).more);
  const pruned = (await exportedLines(world)).filter((line) => line.includes('pruned_at'));

  await givenEvents(earlier, 3);
  await exportedLines(earlier);
  await givenEvents(earlier, 3);
  const other = await createWorld();
  other.sealCryptography.createSecret();
  await givenEvents(other, 5);
  const foreign = [
    ...(await exportedLines(earlier)).slice(-4),
    ...(await exportedLines(other)),
    ...pruned.map((line) => line.replace(/,"pruned_mac":"[^"]+"/, '')),
  ];
  history = { backup: { ...world, ...backup }, live, lines: batches.flat(), batches, pruned, foreign };
});

const tamper = (given: Lines, all: readonly Tampering[]) => tampered(given, all, history);

const reapplied = (world: World, lines: Lines, options = {}) =>
  reapplyAuditEvents(world)(OPERATOR, { exported: linesOf(lines), ...options });

describe('an export that was tampered with', () => {
  test('makes nothing again that it would not have, and lacks nothing up to where it says that it ends', async () => {
    const { backup, batches } = history;
    const genuine = new Map<number, object>();
    for (let count = 1; count <= batches.length; count += 1) {
      const found = unwrap(await reapplied(backup, batches.slice(0, count).flat()));
      genuine.set(found.ends?.position ?? 0, found.changes);
    }
    expect(genuine.get([...genuine.keys()].at(-1) ?? 0)).toHaveLength(4);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(tamperings, async (all) => {
        const found = await reapplied(backup, tamper(history.lines, all));
        if (!found.ok) refused += 1;
        else expect(found.value.changes).toEqual(genuine.get(found.value.ends?.position ?? 0));
      }),
      RUNS,
    );
    expect(refused).toBeGreaterThan(RUNS.numRuns / 2);
  });

  test('has, with what is not genuine left out, only changes that were made', async () => {
    const { backup, lines } = history;
    const made = unwrap(await reapplied(backup, lines)).changes;
    await fc.assert(
      fc.asyncProperty(tamperings, async (all) => {
        const found = unwrap(await reapplied(backup, tamper(lines, all), { partial: true }));
        for (const change of found.changes) expect(made).toContainEqual(change);
      }),
      RUNS,
    );
  });

  test('is not verified, unless it is a part of the export that says where it begins and ends', async () => {
    const { live, lines, batches, pruned } = history;
    const whole = `\n${lines.join('\n')}\n`;
    const read = (each: Lines) =>
      each.flatMap((line) => (pruned.includes(line) ? (batches[pruned.indexOf(line)] ?? []) : line));
    await fc.assert(
      fc.asyncProperty(tamperings, async (all) => {
        const tampered = tamper(lines, all);
        const { found } = await verified(live, tampered);
        if (found === 0)
          expect(whole).toContain(
            `\n${read(tampered)
              .map((line) => `${line}\n`)
              .join('')}`,
          );
      }),
      RUNS,
    );
  });

  test('is not continued, unless its last seal and the events of that are as they were exported', async () => {
    const { live, batches, pruned } = history;
    const last = batches[2] ?? [];
    const continued = (lines: Lines, isAll: boolean) =>
      exportAuditEvents(live)(OPERATOR, { continues: { lines, isAll } });
    expect(await continued(last, false)).toMatchObject({ ok: true });
    await fc.assert(
      fc.asyncProperty(tamperings, fc.boolean(), async (all, isAll) => {
        const lines = tamper(last, all);
        if (!(await continued(lines, isAll)).ok) return;
        const isGenuine = batches.some(
          (batch) =>
            lines.join('\n') === batch.join('\n') ||
            (isAll && lines.length > 0 && batch.join('\n').endsWith(`\n${lines.join('\n')}`)),
        );
        expect(isGenuine || (lines.length === 1 && pruned.includes(lines[0] ?? ''))).toBe(true);
      }),
      RUNS,
    );
  });

  test('of which any one character was changed, or any one line, is refused', async () => {
    const { backup, live, lines } = history;
    for (const [index, line] of lines.entries()) {
      for (const changed of [
        lines.toSpliced(index, 1, `${line} `),
        lines.toSpliced(index, 1, line.replace('"', ' "')),
        lines.toSpliced(index, 1, line.replace(/\}(?=\}?$)/, ',"x":1}')),
        lines.toSpliced(index, 1, line.replace(/\}(?=\}?$)/, ',"pruned_at":"2026-01-01T00:06:00.000Z"}')),
        line.startsWith('{"seal"')
          ? lines.toSpliced(index, 1, line.replace(/"digest":"./, '"digest":"'))
          : undefined,
        lines.toSpliced(index, 0, line),
        lines.toSpliced(index, 0, ''),
        lines.toSpliced(index, 0, '{"comment":1}'),
        // Without the first line, it begins within a seal that the log has; without the last one, it is cut.
        index === 0 || index === lines.length - 1 ? undefined : lines.toSpliced(index, 1),
      ]) {
        if (changed === undefined) continue;
        expect(await reapplied(backup, changed), changed[index]).toMatchObject({ ok: false });
        expect((await verified(live, changed)).found, changed[index]).toBeGreaterThan(0);
      }
    }
  });

  test('of which the end was cut off is accepted up to there, and refused with an anchor from elsewhere', async () => {
    const { backup, lines, batches } = history;
    const cut = batches.slice(0, 4).flat();
    const { last, mac } = anchorOf(lines);
    const found = unwrap(await reapplied(backup, cut));
    expect(found.ends).toMatchObject({ position: anchorOf(cut).last });
    expect(found.changes).toHaveLength(2);
    expect(await reapplied(backup, cut, { anchor: { last, mac } })).toEqual({
      ok: false,
      error: { code: 'export_lacks_anchor', anchor: last, ends: anchorOf(cut).last },
    });
    expect(await reapplied(backup, lines, { anchor: { last, mac } })).toMatchObject({ ok: true });
    expect(await reapplied(backup, cut.slice(0, -1))).toMatchObject({ error: { code: 'export_unsealed' } });
    expect(await reapplied(backup, [])).toMatchObject({ error: { code: 'export_unsealed' } });
  });

  test('that has no seal left is not verified', async () => {
    const { live, batches } = history;
    const withoutSeal = (batches[0] ?? []).slice(0, -1);
    for (const lines of [[], withoutSeal, withoutSeal.slice(0, 1)]) {
      expect(await verified(live, lines)).toMatchObject({ findings: [{ kind: 'file_unsealed' }], anchor: 0 });
    }
  });

  test('that begins after what the backup has is refused, and one that begins before is not', async () => {
    const { backup, batches } = history;
    const from = (seal: number) => reapplied(backup, batches.slice(seal).flat());
    const whole = unwrap(await from(0)).changes;
    expect(unwrap(await reapplied(backup, batches.flat().slice(1)))).toMatchObject({
      begins: 2,
      changes: whole,
    });
    for (const seal of [1, 2]) expect(unwrap(await from(seal)).changes).toEqual(whole);
    expect(await from(3)).toMatchObject({ error: { code: 'export_incomplete', pruned: false } });
    const found = unwrap(await reapplied(backup, batches.slice(3).flat(), { partial: true }));
    expect(found.changes).toHaveLength(3);
    expect(found.problems).toHaveLength(1);
  });

  test('in which events were pruned before is believed as far as the backup has them', async () => {
    const { backup, lines, batches, pruned } = history;
    const whole = unwrap(await reapplied(backup, lines)).changes;
    const withPruned = (count: number) => [...pruned.slice(0, count), ...batches.slice(count).flat()];
    expect(unwrap(await reapplied(backup, withPruned(2))).changes).toEqual(whole);
    const refused = await reapplied(backup, withPruned(3));
    expect(refused).toMatchObject({ error: { code: 'export_incomplete', line: 3, pruned: true } });
    // As an older version wrote it: without proof, which the log has in its place.
    const older = (all: Lines) => all.map((line) => line.replace(/,"pruned_mac":"[^"]+"/, ''));
    expect(unwrap(await reapplied(backup, older(withPruned(2)))).changes).toEqual(whole);
    expect(await reapplied(backup, older(withPruned(3)))).toMatchObject({
      error: { code: 'export_not_genuine', line: 3 },
    });
  });
});
