import { describe, expect, test } from 'vitest';
import {
  type AuditPosition,
  type AuditSeal,
  idsIn,
  rangesOf,
  type SealableBatch,
} from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import type { KeyId, SealedSecret } from '../../src/signing-keys/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import { anEvent, aSigningKey, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { openRepositories } from './open-repositories.ts';

/** A seal whose digests and MAC say nothing. */
function aSeal({ events, previous, throughId }: SealableBatch): AuditSeal {
  const first = (previous?.last ?? 0) + 1;
  return {
    first: first as AuditPosition,
    last: (first + events.length - 1) as AuditPosition,
    ids: rangesOf(events.map(({ id }) => id)),
    throughId,
    digest: `digest ${first}`,
    lineHashes: 'x'.repeat(events.length),
    sealedAt: START,
    previous: previous?.mac ?? '',
    mac: `mac ${first}`,
    pruned: null,
  };
}

export function auditSealsContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of AuditSeals`, () => {
    const store = openRepositories(open);
    const seals = () => store().auditSeals;

    async function record(count: number): Promise<void> {
      for (let index = 0; index < count; index += 1) {
        await store().accounts.insert({ name: 'Another', createdAt: START }, () => anEvent({ at: START }));
      }
    }
    async function sealAll(): Promise<void> {
      while ((await seals().sealNext(100, aSeal)) > 0);
    }
    const lastPosition = async () => (await seals().findLast())?.last ?? 0;

    test('seals get the events in batches, each event once, and their positions have no gap', async () => {
      await sealAll();
      const before = await lastPosition();
      await record(5);
      const made: SealableBatch[] = [];
      const make = (batch: SealableBatch) => {
        made.push(batch);
        return aSeal(batch);
      };
      expect(await seals().sealNext(3, make)).toBe(3);
      expect(await seals().sealNext(3, make)).toBe(2);
      expect(await seals().sealNext(3, make)).toBe(0);
      expect(made).toHaveLength(2);
      const ids = made.flatMap(({ events }) => events.map(({ id }) => id));
      expect(ids).toEqual((await store().audit.list({ limit: 5 })).map(({ id }) => id).toReversed());
      const listed = await seals().list({ after: before, limit: 9 });
      expect(listed).toEqual([aSeal(made[0] as SealableBatch), aSeal(made[1] as SealableBatch)]);
      expect(listed[1]?.first).toBe(before + 4);
      expect(await seals().findLast()).toEqual(listed[1]);
      expect(made[1]?.previous).toEqual(listed[0]);
    });

    test('seals are listed after a position, also from the middle of one', async () => {
      await sealAll();
      const before = await lastPosition();
      await record(4);
      await seals().sealNext(2, aSeal);
      await seals().sealNext(2, aSeal);
      const firsts = async (after: number, limit = 9) =>
        (await seals().list({ after, limit })).map(({ first }) => first - before);
      expect(await firsts(before)).toEqual([1, 3]);
      expect(await firsts(before, 1)).toEqual([1]);
      expect(await firsts(before + 1)).toEqual([1, 3]);
      expect(await firsts(before + 2)).toEqual([3]);
      expect(await firsts(before + 4)).toEqual([]);
    });

    test('a batch whose seal cannot be made is not sealed, and comes again', async () => {
      await sealAll();
      await record(1);
      const fail = () => {
        throw new Error('no seal');
      };
      await expect(seals().sealNext(9, fail)).rejects.toThrow('no seal');
      expect(await seals().sealNext(9, aSeal)).toBe(1);
    });

    test('events are read by their ids, as they were written', async () => {
      const event = anEvent({
        at: addMilliseconds(START, 17),
        origin: '2001:db8::1',
        details: { name: 'Näme', scopes: ['me:read'], expires_at: null, count: 3, sure: true },
      });
      await record(2);
      await store().accounts.insert({ name: 'Another', createdAt: START }, () => event);
      const [newest, middle, oldest] = (await store().audit.list({ limit: 3 })).map(({ id }) => Number(id));
      expect(await seals().readEvents([[newest ?? 0, newest ?? 0]])).toEqual([{ id: newest, event }]);
      const read = await seals().readEvents([
        [oldest ?? 0, oldest ?? 0],
        [newest ?? 0, (newest ?? 0) + 9],
      ]);
      expect(read.map(({ id }) => id)).toEqual([oldest, newest]);
      expect(await seals().findIds([[middle ?? 0, (newest ?? 0) + 9]], 9)).toEqual([
        `${middle}`,
        `${newest}`,
      ]);
      expect(await seals().findIds([[Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]], 1)).toHaveLength(1);
      expect((await seals().findUnsealed()).lastId).toBe(newest);
    });

    test('pruning deletes the events of one seal, once, and keeps the seal', async () => {
      await sealAll();
      await record(2);
      await seals().sealNext(9, aSeal);
      const seal = (await seals().findLast()) as AuditSeal;
      const pruned = { at: START, mac: 'proof' };
      const event = anEvent({ at: START, action: 'audit.pruned', subject: { type: 'audit', id: 'these' } });
      expect(await seals().prune(seal.last, pruned, event)).toBe(true);
      expect(await seals().readEvents(seal.ids)).toEqual([]);
      expect(await seals().list({ after: seal.last - 1, limit: 1 })).toEqual([{ ...seal, pruned }]);
      const [newest] = await store().audit.list({ limit: 1 });
      expect(newest?.event).toEqual(event);
      expect(await seals().prune(seal.last, { at: START, mac: 'another' }, event)).toBe(false);
      expect((await store().audit.list({ limit: 1 }))[0]?.id).toBe(newest?.id);
      await sealAll();
      const left = await seals().list({ after: seal.first - 1, limit: 9, unpruned: true });
      expect(left.map(({ first }) => first)).toEqual([seal.last + 1]);
      expect([...idsIn(left[0]?.ids ?? [])]).toEqual([newest?.id]);
    });

    test('there is one seal key, stored while the master key of the witness is in use', async () => {
      const witness = aSigningKey({ id: 'witness' as KeyId });
      await store().signingKeys.insert(witness, anEvent({ at: START }));
      const key = { id: 'seals' as KeyId, sealedSecret: 'sealed' as SealedSecret };
      const changed = { ...witness, sealedSecret: 'another' as SealedSecret };
      expect(await seals().insertKey(key, changed)).toEqual(err({ code: 'keys_changed' }));
      expect(await seals().findKey()).toBeUndefined();
      expect(await seals().insertKey(key, witness)).toEqual(ok(undefined));
      const other = { id: 'others' as KeyId, sealedSecret: 'other' as SealedSecret };
      expect(await seals().insertKey(other, witness)).toEqual(ok(undefined));
      expect(await seals().findKey()).toEqual(key);
    });

    test('the seal key is encrypted again with the signing keys, or none of them is', async () => {
      const [key] = [await seals().findKey()];
      if (!key) throw new Error('the test before stores it');
      const inUse = (await store().signingKeys.list()).filter(({ state }) => state !== 'retired');
      const resealings = inUse.map(({ id, sealedSecret: from }) => ({
        id,
        from,
        to: `new ${id}` as SealedSecret,
      }));
      expect(await store().signingKeys.reseal(resealings, [])).toEqual(err({ code: 'keys_changed' }));
      const ofSeals = { id: key.id, from: key.sealedSecret, to: 'new' as SealedSecret };
      expect(await store().signingKeys.reseal([...resealings, ofSeals], [])).toEqual(ok(undefined));
      expect(await seals().findKey()).toEqual({ ...key, sealedSecret: 'new' });
    });
  });
}
