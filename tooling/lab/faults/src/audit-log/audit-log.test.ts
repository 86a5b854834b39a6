import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sealAuditEvents } from '@gatehouse/domain/audit';
import { atMost, none, recordFigures, sized } from '@gatehouse/fault-figures';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runGatehouse } from '../stage/commands.ts';
import { startNode } from '../stage/node.ts';
import { sabotage } from '../stage/sabotage.ts';
import { until } from '../stage/until.ts';
import { eventsIn, insertEvents, openSealedLog, type SealedLog } from './sealed-log.ts';
import { isNamed, TAMPERINGS, unguarded } from './tampering.ts';

const SIZE = sized({
  short: { events: 700, rounds: 1, writers: 4, transactions: 60 },
  full: { events: 5_000, rounds: 40, writers: 12, transactions: 2_000 },
});
const TIMEOUT = { timeout: sized({ short: 120_000, full: 1_800_000 }) };
/** Servers seal every ten seconds. */
const SEALED_WITHIN_MS = 12_000;

/** The sealer never returns to ids that it passed over, like an export by ids. */
const NO_GAPS = sabotage({
  file: '/audit-gaps.ts',
  find: 'if (ranges.length === 0) return;',
  replace: 'return;',
});
/** Seals are accepted without a check of their MACs. */
const NO_MACS = sabotage({
  file: '/verify-seal.ts',
  find: 'macOf(sealing, seal) === seal.mac',
  replace: 'true',
});

async function aFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-audit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'audit.jsonl');
}

const linesOf = async (file: string) => (await readFile(file, 'utf8')).split('\n').filter(Boolean);

describe('an audit log that a role with all rights in the database changes', () => {
  test('names each event that was changed, removed or inserted', TIMEOUT, async () => {
    await using log = await openSealedLog();
    await log.client.query(insertEvents(SIZE.events));
    await log.export();
    await log.client.query('create table kept as table audit_events');
    const { rows } = await log.client.query(
      'select min(id)::int as first, max(id)::int as last from audit_events',
    );
    const { first, last } = rows[0];
    let tried = 0;
    let unnoticed = 0;
    for (let round = 0; round < SIZE.rounds; round += 1) {
      for (const tampering of TAMPERINGS) {
        // Another one each time, spread over the log.
        const id = first + ((tried * 7919 + 13) % (last - first + 1));
        if (!(await isNamed(log, tampering, id))) unnoticed += 1;
        tried += 1;
      }
    }
    expect((await log.verify()).findings).toEqual([]);
    recordFigures('A1', [
      { name: 'sealed events', measured: String(last - first + 1) },
      none('changed, removed or inserted; of these not named', unnoticed, tried),
    ]);
    expect(unnoticed).toBe(0);
  });

  /** Changes an event, and changes its seal to match, except for the MAC, which needs the key. */
  async function forgeSeal(log: SealedLog): Promise<void> {
    const { cryptography, lines } = { cryptography: log.ports.sealCryptography, lines: await log.export() };
    const forged = lines
      .slice(0, -1)
      .map((line) =>
        eventsIn([line])[0]?.id === 2 ? line.replace(/"origin":"[^"]*"/, '"origin":"x"') : line,
      );
    const digest = cryptography.hash(forged.map((line) => `${line}\n`).join(''));
    const hashes = forged.map((line) => cryptography.hash(line).slice(0, 8)).join('');
    await unguarded(log, async () => {
      await log.client.query(`update audit_events set origin = 'x' where id = 2`);
      await log.client.query('update audit_seals set digest = $1, line_hashes = $2', [digest, hashes]);
    });
  }

  test('names a seal that was made without the key', TIMEOUT, async () => {
    await using log = await openSealedLog();
    await forgeSeal(log);
    expect((await log.verify()).findings).toMatchObject([{ kind: 'seal_changed' }]);
    expect(await runGatehouse(log.settings, ['audit', 'verify'])).toMatchObject({ status: 6 });
  });

  test('does not, if it believes seals without their MACs, which is detected', TIMEOUT, async () => {
    await using log = await openSealedLog();
    await forgeSeal(log);
    expect(await runGatehouse({ ...log.settings, ...NO_MACS }, ['audit', 'verify'])).toMatchObject({
      status: 0,
    });
  });
});

describe('an export while many write', () => {
  test('has each event once, however late its transaction is committed', TIMEOUT, async () => {
    await using log = await openSealedLog();
    const seals = [log.seal, sealAuditEvents(log.ports), sealAuditEvents(log.ports)];
    const state = { writing: true };
    const lines: string[] = [];
    const follow = async () => {
      for (;;) {
        const ends = !state.writing;
        lines.push(...(await log.export(eventsIn(lines.slice(-2)).at(-1)?.position ?? 0)));
        if (ends) return;
      }
    };
    const sealing = seals.map(async (seal) => {
      while (state.writing) await seal();
    });
    const following = follow();
    await Promise.all(Array.from({ length: SIZE.writers }, (_, writer) => write(log.url, writer)));
    state.writing = false;
    await Promise.all([...sealing, following]);
    const { rows } = await log.client.query('select id::int from audit_events order by id');
    const exported = eventsIn(lines);
    const ids = new Set(exported.map(({ id }) => id));
    const lost = rows.filter(({ id }) => !ids.has(id)).length;
    const outOfOrder = exported.filter(({ position }, index) => position !== index + 1).length;
    recordFigures('A1', [
      {
        name: 'events written by transactions that overlap, some rolled back',
        measured: String(rows.length),
      },
      none('of these lost by an export that follows', lost),
      none('repeated', exported.length - ids.size),
      none('out of order', outOfOrder),
    ]);
    expect({ lost, repeated: exported.length - ids.size, outOfOrder }).toEqual({
      lost: 0,
      repeated: 0,
      outOfOrder: 0,
    });
    expect(await log.verify(lines)).toMatchObject({ found: 0, unsealed: 0, compared: rows.length });
  });

  /** Keeps the transaction of a smaller id open during an export. Returns the origins of the events in two exports. */
  async function exportAcross(log: SealedLog, more: ReturnType<typeof sabotage> | undefined) {
    const file = await aFile();
    const run = () => runGatehouse({ ...log.settings, ...more }, ['audit', 'export', '--to', file]);
    const late = new pg.Client({ connectionString: log.url });
    await late.connect();
    try {
      await late.query('begin');
      await late.query(insertEvents(1, 'late'));
      await log.client.query(insertEvents(1, 'early'));
      expect(await run()).toMatchObject({ status: 0 });
      await late.query('commit');
      expect(await run()).toMatchObject({ status: 0 });
    } finally {
      await late.end();
    }
    const lines = await linesOf(file);
    return lines
      .map((line) => JSON.parse(line).origin)
      .filter((origin) => ['late', 'early'].includes(origin));
  }

  test('has an event whose transaction was open across the export before', TIMEOUT, async () => {
    await using log = await openSealedLog();
    expect(await exportAcross(log, undefined)).toEqual(['early', 'late']);
  });

  test('loses it, if ids that were passed over are not watched, which is detected', TIMEOUT, async () => {
    await using log = await openSealedLog();
    expect(await exportAcross(log, NO_GAPS)).toEqual(['early']);
    expect((await log.verify()).findings).toMatchObject([{ kind: 'event_inserted' }]);
  });

  /** Transactions of some milliseconds; every seventh is rolled back. */
  async function write(url: string, writer: number): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (let round = 0; round < SIZE.transactions; round += 1) {
        await client.query('begin');
        await client.query(insertEvents(1 + (round % 3), `writer ${writer}`));
        await delay((round * 31 + writer * 17) % 12);
        await client.query(round % 7 === 3 ? 'rollback' : 'commit');
      }
    } finally {
      await client.end();
    }
  }
});

describe('a server', () => {
  test('seals what is committed by itself', TIMEOUT, async () => {
    await using log = await openSealedLog();
    await using _node = await startNode(log.settings);
    await until(
      'it sealed what was there',
      async () => ((await log.ports.auditSeals.findLast())?.last ?? 0) > 0,
    );
    const before = (await log.ports.auditSeals.findLast())?.last ?? 0;
    await log.client.query(insertEvents(1));
    const started = performance.now();
    await until(
      'it sealed an event',
      async () => ((await log.ports.auditSeals.findLast())?.last ?? 0) > before,
    );
    const took = performance.now() - started;
    recordFigures('A1', [atMost('sealed by a server after', took, SEALED_WITHIN_MS)]);
    expect(await runGatehouse(log.settings, ['audit', 'verify'])).toMatchObject({ status: 0 });
  });
});
