import type { AuditEventId, AuditSeal, AuditSeals, StoredEvent } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import type { State } from './state.ts';

export function createInMemoryAuditSeals(state: State): AuditSeals {
  const stored = (): readonly StoredEvent[] =>
    state.events
      .map((event, index) => ({ id: (index + 1) as AuditEventId, event }))
      .filter(({ id }) => !state.prunedEvents.has(id));
  const sealOf = (last: number) => state.seals.findIndex((seal) => seal.last === last);

  return {
    async sealNext(limit, make) {
      const previous = state.seals.at(-1);
      const events = stored()
        .filter(({ id }) => id > (previous?.throughId ?? 0))
        .slice(0, limit);
      const throughId = events.at(-1)?.id;
      if (throughId === undefined) return 0;
      state.seals.push(make({ events, previous, throughId }));
      return events.length;
    },
    async list({ after, limit, unpruned = false }) {
      return state.seals
        .filter((seal) => seal.last > after && !(unpruned && seal.pruned))
        .slice(0, limit)
        .map((seal): AuditSeal => ({ ...seal }));
    },
    async findLast() {
      return state.seals.at(-1);
    },
    async readEvents(ids) {
      return stored().filter(({ id }) => ids.some(([first, last]) => first <= id && id <= last));
    },
    async findIds(ranges, limit) {
      return stored()
        .filter(({ id }) => ranges.some(([first, last]) => first <= id && id <= last))
        .slice(0, limit)
        .map(({ id }) => String(id));
    },
    async findTableChanges() {
      return [];
    },
    async findUnsealed() {
      return { lastId: state.events.length, late: [] };
    },
    async prune(last, pruned, event) {
      const index = sealOf(last);
      const seal = state.seals[index];
      if (!seal || seal.pruned) return false;
      state.seals[index] = { ...seal, pruned };
      for (const [first, end] of seal.ids)
        for (let id = first; id <= end; id += 1) state.prunedEvents.add(id);
      state.events.push(event);
      return true;
    },
    async findKey() {
      return state.sealKey;
    },
    async insertKey(key, witness) {
      const holder = state.keys.get(witness.id);
      const holds = holder?.sealedSecret === witness.sealedSecret && holder.state !== 'retired';
      if (!holds) return err({ code: 'keys_changed' });
      state.sealKey ??= key;
      return ok(undefined);
    },
  };
}
