import { authorized, EXPORT_AUDIT } from '../../access/index.ts';
import { err, ok } from '../../result.ts';
import { type EnsureKeysPorts, ensureKeys } from '../../signing-keys/ensure-keys.ts';
import { addMilliseconds, type Instant } from '../../time/instant.ts';
import type { AuditSeal } from './audit-seal.ts';
import type { AuditSeals } from './audit-seals.ts';
import {
  type ExportedBatch,
  exportedBatches,
  isOlderPruning,
  isProven,
  isRestOf,
} from './exported-batches.ts';
import { sealLine } from './lines.ts';
import { findSameSeal, sealsAfter } from './list-seals.ts';
import { pruningMacOf, type Sealing } from './make-seal.ts';
import { type SealPorts, sealAuditEvents } from './seal-audit-events.ts';
import { openSealKey } from './seal-key.ts';
import { readRows } from './sealed-rows.ts';
import { isPruned, isSealGenuine, isWhole } from './verify-seal.ts';

interface ExportAuditEventsInput {
  /** The last position of the audit log that the previous export has. Default: 0, to begin with the first event. */
  readonly after?: number;
  /** The end of the previous export. Its last position takes precedence over `after`. */
  readonly continues?: ExportEnd | undefined;
  /** Minimum age of exported events, in milliseconds. The export stops before the first seal with a newer event. */
  readonly olderThanMs?: number | undefined;
}

/** The lines of one seal. */
export interface ExportedSeal {
  /** The lines of the seal's events, unless the events were pruned, and the line of the seal. */
  readonly lines: readonly string[];
  readonly seal: AuditSeal;
  /** Whether the events in the log differ from the events that were sealed. */
  readonly damaged: boolean;
}

/**
 * Seals the committed events, and returns the lines of all events after a position. The lines of the next seal are read
 * when the caller asks for them. Each event has one position, so an export that begins where another ends neither loses
 * nor repeats an event.
 */
export const exportAuditEvents = authorized(EXPORT_AUDIT, (ports: SealPorts & EnsureKeysPorts) => {
  const seal = sealAuditEvents(ports);
  return async (caller, { after: position = 0, continues, olderThanMs }: ExportAuditEventsInput) => {
    const ensured = await ensureKeys(ports)(caller);
    if (!ensured.ok) return ensured;
    for (let more = true; more; ) {
      const sealed = await seal();
      if (!sealed.ok) return sealed;
      more = sealed.value.more;
    }
    const key = await openSealKey(ports);
    if (!key.ok) return key;
    const last = (await ports.auditSeals.findLast())?.last ?? 0;
    const end = continues && (await endOfExport(ports.auditSeals, key.value, continues));
    if (end && !end.ok) return end;
    const after = end?.value ?? position;
    // The previous export has more events than this log. It is the export of another log, or this log was restored from
    // an older backup.
    if (after > last) return err({ code: 'audit_position_unknown', last });
    const before = olderThanMs === undefined ? undefined : addMilliseconds(ports.clock.now(), -olderThanMs);
    return ok(exportedSeals(ports.auditSeals, key.value, { after, before, through: last }));
  };
});

interface Bounds {
  readonly after: number;
  readonly before: Instant | undefined;
  readonly through: number;
}

async function* exportedSeals(
  auditSeals: AuditSeals,
  sealing: Sealing,
  { after, before, through }: Bounds,
): AsyncGenerator<ExportedSeal> {
  for await (const page of sealsAfter(auditSeals, after)) {
    for (const seal of page) {
      // Events that were sealed after this export began belong to the next export.
      if (seal.first > through) return;
      const isGenuine = isSealGenuine(sealing, seal);
      if (isGenuine && seal.pruned && isPruned(sealing, seal)) {
        const { at } = seal.pruned;
        yield { lines: [sealLine(seal, { at, mac: pruningMacOf(sealing, seal, at) })], seal, damaged: false };
        continue;
      }
      const rows = await readRows(auditSeals, seal);
      if (before !== undefined && rows.some(({ event }) => event && event.event.at >= before)) return;
      const wanted = rows.flatMap(({ position, line }) => (line && position > after ? line : []));
      const present = { ...seal, pruned: null };
      const damaged = !isGenuine || !isWhole(sealing, seal, rows) || seal.pruned !== null;
      yield { lines: [...wanted, sealLine(present)], seal: present, damaged };
    }
  }
}

/** The last lines of an export that a new export continues. */
export interface ExportEnd {
  /** The lines of the events of the export's last seal, and the line of that seal. */
  readonly lines: readonly string[];
  /**
   * Whether the export has only these lines. If so, the export may have begun within the seal, and lack the seal's
   * first events.
   */
  readonly isAll: boolean;
}

/**
 * Checks each character of the last seal's lines, and returns the last position of the export. Returns an error if the
 * export does not end with a seal of this log, or if the lines of that seal were changed after the export.
 */
async function endOfExport(auditSeals: Pick<AuditSeals, 'list'>, sealing: Sealing, end: ExportEnd) {
  const batches: ExportedBatch[] = [];
  for await (const each of exportedBatches(end.lines)) if (each.kind === 'batch') batches.push(each);
  const batch = batches.at(-1);
  const seal = batch && (await findSameSeal(auditSeals, sealing, batch.seal));
  if (!seal) return err({ code: 'audit_anchor_unknown' });
  const isGenuine =
    batches.length === 1 &&
    end.lines.length === batch.line &&
    (isProven(sealing, batch) ||
      (end.isAll && isRestOf(sealing, seal, batch)) ||
      (isOlderPruning(seal, batch) && isPruned(sealing, seal) && seal.pruned?.at === batch.pruned?.at));
  return isGenuine ? ok(seal.last) : err({ code: 'export_end_changed' });
}
