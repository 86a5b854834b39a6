import { sealAuditEvents } from '@gatehouse/domain/audit';
import { exportedLines, verified } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { connectClient } from '../../testing/open-test-store.ts';
import { aSealedStore, INSERT_EVENT as INSERT, INSERT_EVENT_AS } from '../../testing/sealed-store.ts';

const originsIn = (lines: readonly string[]) => lines.flatMap((line) => JSON.parse(line).origin ?? []);
const positionsIn = (lines: readonly string[]) => lines.flatMap((line) => JSON.parse(line).position ?? []);

describe('events that are committed after greater ids', () => {
  test('are in the next export, neither lost nor repeated', async () => {
    const { url, ports, client } = await aSealedStore();
    const late = await connectClient(url);
    await late.query('begin');
    await late.query(INSERT, ['late']);
    await client.query(INSERT, ['early']);

    const first = await exportedLines(ports);
    expect(originsIn(first)).toEqual(['test', 'test', 'early']);
    // No event appears while the transaction is open, however often one asks.
    expect(await exportedLines(ports, 3)).toEqual([]);
    expect(await verified(ports, first)).toMatchObject({ found: 0, unsealed: 0 });
    await client.query(INSERT, ['between']);
    const second = await exportedLines(ports, 3);
    expect(originsIn(second)).toEqual(['between']);

    await late.query('commit');
    const third = await exportedLines(ports, 4);
    expect(originsIn(third)).toEqual(['late']);
    const all = [...first, ...second, ...third];
    expect(positionsIn(all)).toEqual([1, 2, 3, 4, 5]);
    expect(await exportedLines(ports)).toEqual(all);
    expect(await verified(ports, all)).toMatchObject({ sealed: 5, compared: 5, anchor: 5, found: 0 });
  });

  test('are found though the insertion had no transaction id yet, when its id was passed over', async () => {
    const { url, ports, client } = await aSealedStore();
    const late = await connectClient(url);
    // Like an insertion between its event's id and the event itself, it has the lock of the table.
    await late.query('begin; lock table audit_events in row exclusive mode');
    await late.query(`select nextval(pg_get_serial_sequence('audit_events', 'id'))`);
    await client.query(INSERT, ['early']);
    expect(originsIn(await exportedLines(ports))).toContain('early');
    expect(await exportedLines(ports, 3)).toEqual([]);
    const id = `select last_value - 1 as id from audit_events_id_seq`;
    const { rows } = await client.query(id);
    await late.query(INSERT_EVENT_AS, ['late', rows[0].id]);
    await late.query('commit');
    expect(originsIn(await exportedLines(ports, 3))).toEqual(['late']);
  });

  test('are not waited for once their transactions have ended without them', async () => {
    const { ports, client, seal } = await aSealedStore();
    await client.query('begin');
    await client.query(INSERT, ['never']);
    await client.query('rollback');
    await client.query(INSERT, ['early']);
    await seal();
    expect(await ports.auditSeals.findUnsealed()).toEqual({ lastId: 4, late: [[3, 3]] });
    await seal();
    expect(await ports.auditSeals.findUnsealed()).toEqual({ lastId: 4, late: [] });
    expect(await verified(ports)).toMatchObject({ sealed: 3, found: 0 });
  });

  test('are sealed in parts, where more of them were committed than a seal has', async () => {
    const { url, ports, client } = await aSealedStore();
    const late = await connectClient(url);
    await late.query('begin');
    for (let count = 0; count < 1200; count += 1) await late.query(INSERT, ['late']);
    await client.query(INSERT, ['early']);
    await exportedLines(ports);
    await late.query('commit');
    await client.query(INSERT, ['last']);
    const lines = await exportedLines(ports);
    expect(positionsIn(lines)).toEqual(Array.from({ length: 1204 }, (_, index) => index + 1));
    expect(originsIn(lines).filter((origin) => origin === 'late')).toHaveLength(1200);
    expect(await verified(ports, lines)).toMatchObject({ sealed: 1204, compared: 1204, found: 0 });
    expect((await ports.auditSeals.findUnsealed()).late).toEqual([]);
  });

  test('are sealed once, while several processes seal and many write', async () => {
    const { url, ports, client } = await aSealedStore();
    const writers = await Promise.all(Array.from({ length: 6 }, () => connectClient(url)));
    const sealers = [sealAuditEvents(ports), sealAuditEvents(ports), sealAuditEvents(ports)];
    let writing = true;
    const write = async (writer: (typeof writers)[number], number: number) => {
      for (let round = 0; round < 40; round += 1) {
        await writer.query('begin');
        await writer.query(INSERT, [`${number}.${round}`]);
        if (round % 3 === 0) await writer.query('select pg_sleep(0.002)');
        await writer.query(round % 7 === 5 ? 'rollback' : 'commit');
      }
    };
    const sealing = sealers.map(async (seal) => {
      while (writing) await seal();
    });
    await Promise.all(writers.map(write)).finally(() => {
      writing = false;
    });
    await Promise.all(sealing);
    const lines = await exportedLines(ports);
    const { rows } = await client.query('select id from audit_events order by id');
    const ids = lines.flatMap((line) => JSON.parse(line).id ?? []);
    expect(ids.toSorted((one: number, other: number) => one - other)).toEqual(
      rows.map(({ id }) => Number(id)),
    );
    expect(positionsIn(lines)).toEqual(Array.from({ length: ids.length }, (_, index) => index + 1));
    expect(await verified(ports, lines)).toMatchObject({ found: 0, unsealed: 0 });
  });
});
