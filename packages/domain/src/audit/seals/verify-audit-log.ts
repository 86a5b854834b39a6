import { authorized, READ_AUDIT } from '../../access/index.ts';
import { ok } from '../../result.ts';
import { type AuditFinding, AuditFindings } from './audit-findings.ts';
import type { AuditSeal } from './audit-seal.ts';
import type { AuditSeals, UnsealedEvents } from './audit-seals.ts';
import { createExportComparison, type ExportComparison } from './compare-export.ts';
import { includes, without } from './id-ranges.ts';
import { sealsAfter } from './list-seals.ts';
import { openSealKey, type SealKeyPorts } from './seal-key.ts';
import { readRows, type SealedRow } from './sealed-rows.ts';
import { isPruned, verifyPruned, verifyRows, verifySeal } from './verify-seal.ts';

/** The result of a verification: counts of the verified parts, and the findings. */
export interface AuditVerification extends ExportComparison {
  /** The last sealed position; 0 if there is none. */
  readonly sealed: number;
  /** The number of sealed events that were deleted after an export. */
  readonly pruned: number;
  /** The number of events that are not sealed yet, up to 1000. Changes of unsealed events are not detected. */
  readonly unsealed: number;
  readonly found: number;
  /** The findings, at most a thousand of each kind. */
  readonly findings: readonly AuditFinding[];
}

const MAX_UNSEALED = 1000;

/**
 * Compares the log with its seals, and with the lines of an export if an export is given. Finds events that were
 * changed, removed or inserted after the sealing. Changes before the sealing are not found. If the end of the log was
 * removed together with its seals, only an export that reaches beyond that end reveals this. Keeps only one page of
 * seals in memory.
 */
export const verifyAuditLog = authorized(READ_AUDIT, (ports: SealKeyPorts) => {
  const { auditSeals } = ports;
  return async (_, { exported }: { readonly exported?: AsyncIterable<string> | undefined } = {}) => {
    const key = await openSealKey(ports);
    if (!key.ok) return key;
    const sealing = key.value;
    const findings = new AuditFindings();
    const strays = createStrayEvents(auditSeals);
    const comparison = exported && createExportComparison(exported, sealing, findings);
    let previous: AuditSeal | undefined;
    let pruned = 0;
    for (const what of await auditSeals.findTableChanges()) findings.add({ kind: 'table_changed', what });

    async function verifyFrom(position: number): Promise<void> {
      for await (const seals of sealsAfter(auditSeals, position)) {
        const page = [];
        for (const seal of seals) {
          const verified = await verifyOne(seal, previous);
          await comparison?.compare(verified);
          if (verified.seal.pruned) pruned += seal.last - seal.first + 1;
          page.push(verified);
          previous = seal;
        }
        await strays.pass(page);
      }
    }

    async function verifyOne(seal: AuditSeal, before: AuditSeal | undefined) {
      const isGenuine = verifySeal(sealing, seal, before, findings);
      // The events of a forged seal are not read, because it may have any number of ids.
      if (!isGenuine) return { seal, isGenuine, rows: [] };
      const read = await rowsNow(seal);
      const isGone = isPruned(sealing, read.seal);
      if (read.seal.pruned && !isGone) {
        findings.add({ kind: 'pruning_forged', first: seal.first, last: seal.last });
      }
      if (isGone) verifyPruned(read.rows, findings);
      else verifyRows(sealing, read.seal, read.rows, findings);
      return { ...read, seal: isGone ? read.seal : { ...read.seal, pruned: null }, isGenuine };
    }

    /** Reads the events of a seal again if another process pruned them during the first read. */
    async function rowsNow(seal: AuditSeal): Promise<{ seal: AuditSeal; rows: readonly SealedRow[] }> {
      const rows = await readRows(auditSeals, seal);
      if (seal.pruned || rows.every(({ event }) => event)) return { seal, rows };
      const [now] = await auditSeals.list({ after: seal.last - 1, limit: 1 });
      if (!now?.pruned) return { seal, rows };
      return { seal: { ...seal, pruned: now.pruned }, rows: await readRows(auditSeals, seal) };
    }

    await verifyFrom(0);
    const tail = await auditSeals.findUnsealed();
    // Since the seals were read, events that were committed late may have been sealed.
    await verifyFrom(previous?.last ?? 0);
    strays.report(tail, findings);
    const unsealed = await verifyTail(strays.through(), tail.lastId, findings);
    const sealed = previous?.last ?? 0;
    const compared = (await comparison?.finish(sealed)) ?? { compared: 0, begins: 0, anchor: 0 };
    const found = { found: findings.count, findings: findings.kept };
    return ok({ sealed, pruned, unsealed, ...compared, ...found } satisfies AuditVerification);
  };

  /** Counts the events that are not sealed yet, and finds events with ids that the database has not assigned. */
  async function verifyTail(through: number, lastId: number, findings: AuditFindings): Promise<number> {
    const end = Math.max(through, lastId, 0);
    const beyond = await auditSeals.findIds([[end + 1, Number.MAX_SAFE_INTEGER]], MAX_UNSEALED);
    // The database may have assigned more ids in the meantime.
    const given = beyond.length > 0 ? (await auditSeals.findUnsealed()).lastId : end;
    for (const id of beyond) if (BigInt(id) > BigInt(given)) findings.add({ kind: 'event_inserted', id });
    if (lastId <= through) return 0;
    const from = Math.max(through, Number.MIN_SAFE_INTEGER) + 1;
    return (await auditSeals.findIds([[from, lastId]], MAX_UNSEALED)).length;
  }
});

/**
 * The largest number of ids that one look-up returns. Far fewer events are committed at the same time after events with
 * greater ids.
 */
const LIMIT = 100_000;

/** Finds events that are in no seal, while seals are read in order. */
function createStrayEvents(auditSeals: Pick<AuditSeals, 'findIds'>) {
  /**
   * Ids of events that are in no seal that was read so far. Either they were inserted, or they were committed late and
   * are in a later seal.
   */
  const strays = new Set<string>();
  let through = Number.MIN_SAFE_INTEGER - 1;

  return {
    through: () => through,

    /** Looks for events whose ids are between the ids of these seals, but in none of them. */
    async pass(seals: readonly { readonly seal: AuditSeal; readonly isGenuine: boolean }[]): Promise<void> {
      const genuine = seals.filter(({ isGenuine }) => isGenuine);
      const to = Math.max(through, ...genuine.map(({ seal }) => seal.throughId));
      const taken = seals.flatMap(({ seal }) => seal.ids);
      for (const id of strays) if (includes(taken, Number(id))) strays.delete(id);
      const between = without(through + 1, to, taken);
      for (const id of between.length > 0 ? await auditSeals.findIds(between, LIMIT) : []) strays.add(id);
      through = to;
    },

    /** Reports the events that are in no seal and were not committed late. */
    report({ late }: UnsealedEvents, findings: AuditFindings): void {
      for (const id of strays) {
        if (!includes(late, Number(id))) findings.add({ kind: 'event_inserted', id });
      }
    },
  };
}
