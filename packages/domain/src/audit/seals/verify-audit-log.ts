import { authorized, READ_AUDIT } from '../../access/index.ts';
import { ok } from '../../result.ts';
import { type AuditFinding, AuditFindings } from './audit-findings.ts';
import type { AuditSeal } from './audit-seal.ts';
import { createExportComparison, type ExportComparison } from './compare-export.ts';
import { sealsAfter } from './list-seals.ts';
import { rememberSealKey, type SealKeyPorts } from './seal-key.ts';
import { readRows, type SealedRow } from './sealed-rows.ts';
import { createStrayEvents } from './stray-events.ts';
import { isPruned, verifyPruned, verifyRows, verifySeal } from './verify-seal.ts';

/** What was verified, and what was found. */
export interface AuditVerification extends ExportComparison {
  /** The last sealed position; 0 if there is none. */
  readonly sealed: number;
  /** The number of sealed events that were deleted after they were exported. */
  readonly pruned: number;
  /** The number of events that are not sealed yet, up to 1000: what happens to these is not noticed. */
  readonly unsealed: number;
  readonly found: number;
  /** At most a thousand of each kind. */
  readonly findings: readonly AuditFinding[];
}

const MAX_UNSEALED = 1000;

/**
 * Compares the log with its seals, and with the lines of an export if they are given. It finds what was changed,
 * removed or inserted after it was sealed. It does not find what was changed before, nor that the end of the log was
 * removed together with its seals, unless an export has an anchor after it. It needs memory for one page of seals.
 */
export const verifyAuditLog = authorized(READ_AUDIT, (ports: SealKeyPorts) => {
  const { auditSeals } = ports;
  const openKey = rememberSealKey(ports);
  return async (_, { exported }: { readonly exported?: AsyncIterable<string> | undefined } = {}) => {
    const key = await openKey();
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
      // Its ids may be any number of ids.
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

    /** They may be pruned at this moment. */
    async function rowsNow(seal: AuditSeal): Promise<{ seal: AuditSeal; rows: readonly SealedRow[] }> {
      const rows = await readRows(auditSeals, seal);
      if (seal.pruned || rows.every(({ event }) => event)) return { seal, rows };
      const [now = seal] = await auditSeals.list({ after: seal.last - 1, limit: 1 });
      return now.pruned
        ? { seal: { ...seal, pruned: now.pruned }, rows: await readRows(auditSeals, seal) }
        : { seal, rows };
    }

    await verifyFrom(0);
    const tail = await auditSeals.findUnsealed();
    // What was late then may be sealed by now.
    await verifyFrom(previous?.last ?? 0);
    strays.report(tail, findings);
    const unsealed = await verifyTail(strays.through(), tail.lastId, findings);
    const sealed = previous?.last ?? 0;
    const compared = (await comparison?.finish(sealed)) ?? { compared: 0, begins: 0, anchor: 0 };
    const { kept, count } = findings;
    return ok({
      sealed,
      pruned,
      unsealed,
      ...compared,
      found: count,
      findings: kept,
    } satisfies AuditVerification);
  };

  /** Counts what is not sealed yet, and finds events with ids that the log has not given. */
  async function verifyTail(through: number, lastId: number, findings: AuditFindings): Promise<number> {
    const end = Math.max(through, lastId, 0);
    const beyond = await auditSeals.findIds([[end + 1, Number.MAX_SAFE_INTEGER]], MAX_UNSEALED);
    // Ids may have been given since.
    const given = beyond.length > 0 ? (await auditSeals.findUnsealed()).lastId : end;
    for (const id of beyond) if (BigInt(id) > BigInt(given)) findings.add({ kind: 'event_inserted', id });
    if (lastId <= through) return 0;
    return (
      await auditSeals.findIds([[Math.max(through, Number.MIN_SAFE_INTEGER) + 1, lastId]], MAX_UNSEALED)
    ).length;
  }
});
