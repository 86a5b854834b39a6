import { authorized, EXPORT_AUDIT } from '../../access/index.ts';
import { err, ok } from '../../result.ts';
import { type EnsureKeysPorts, ensureKeys } from '../../signing-keys/ensure-keys.ts';
import { addMilliseconds, type Instant } from '../../time/instant.ts';
import type { AuditPosition, AuditSeal } from './audit-seal.ts';
import type { AuditSeals } from './audit-seals.ts';
import { type ExportEnd, endOfExport } from './continued-export.ts';
import { sealLine } from './lines.ts';
import { sealsAfter } from './list-seals.ts';
import { hashesOf, pruningMacOf, type Sealing } from './make-seal.ts';
import { type SealPorts, sealAuditEvents } from './seal-audit-events.ts';
import { rememberSealKey } from './seal-key.ts';
import { readRows } from './sealed-rows.ts';
import { isPruned, isSealGenuine } from './verify-seal.ts';

/** The export is to continue after a position that the log has not reached: it is of another log, or of a later state. */
export interface AuditPositionUnknown {
  readonly code: 'audit_position_unknown';
  /** The last one that the log has. */
  readonly last: number;
}

interface ExportAuditEventsInput {
  /** The last position of the export before; 0 to begin with the first one. Default: 0. */
  readonly after?: number;
  /** The end of the export before, if that is at hand; its last position counts. */
  readonly continues?: ExportEnd | undefined;
  /** Ends before the first seal that has a younger event; in milliseconds. */
  readonly olderThanMs?: number | undefined;
}

/** The lines of one seal. */
export interface ExportedSeal {
  /** Those of its events, without what was pruned, and its own. */
  readonly lines: readonly string[];
  readonly seal: AuditSeal;
  /** Whether the log does not have the events as they were sealed. */
  readonly damaged: boolean;
}

/**
 * Seals what is committed, and returns the lines of all events after a position, seal by seal as they are asked for. Each
 * event has one position, so exports that continue each other neither lose nor repeat one.
 */
export const exportAuditEvents = authorized(EXPORT_AUDIT, (ports: SealPorts & EnsureKeysPorts) => {
  const seal = sealAuditEvents(ports);
  const openKey = rememberSealKey(ports);
  return async (caller, { after: position = 0, continues, olderThanMs }: ExportAuditEventsInput) => {
    const ensured = await ensureKeys(ports)(caller);
    if (!ensured.ok) return ensured;
    for (let more = true; more; ) {
      const sealed = await seal();
      if (!sealed.ok) return sealed;
      more = sealed.value.more;
    }
    const key = await openKey();
    if (!key.ok) return key;
    const last = (await ports.auditSeals.findLast())?.last ?? 0;
    const end = continues && (await endOfExport(ports.auditSeals, key.value, continues));
    if (end && !end.ok) return end;
    const after = end?.value ?? position;
    if (after > last) return err({ code: 'audit_position_unknown', last } satisfies AuditPositionUnknown);
    const before = olderThanMs === undefined ? undefined : addMilliseconds(ports.clock.now(), -olderThanMs);
    return ok(exportedSeals(ports.auditSeals, key.value, { after, before, through: last }));
  };
});

async function* exportedSeals(
  auditSeals: AuditSeals,
  sealing: Sealing,
  {
    after,
    before,
    through,
  }: { readonly after: number; readonly before: Instant | undefined; readonly through: number },
): AsyncGenerator<ExportedSeal> {
  for await (const page of sealsAfter(auditSeals, after)) {
    for (const seal of page) {
      // What is sealed meanwhile is the next export's.
      if (seal.first > through) return;
      const isGenuine = isSealGenuine(sealing, seal);
      if (isGenuine && seal.pruned && isPruned(sealing, seal)) {
        const { at } = seal.pruned;
        yield { lines: [sealLine(seal, { at, mac: pruningMacOf(sealing, seal, at) })], seal, damaged: false };
        continue;
      }
      const rows = await readRows(auditSeals, seal);
      if (before !== undefined && rows.some(({ event }) => event && event.event.at >= before)) return;
      const lines = rows.flatMap(({ line }) => line ?? []);
      const isWhole = hashesOf(sealing.cryptography, lines).digest === seal.digest;
      const wanted = rows.flatMap(({ position, line }) => (line && position > after ? line : []));
      const present = { ...seal, pruned: null };
      yield {
        lines: [...wanted, sealLine(present)],
        seal: present,
        damaged: !isGenuine || !isWhole || seal.pruned !== null,
      };
    }
  }
}

/** The end of an export, from its last line. */
export interface ExportAnchor {
  readonly last: AuditPosition;
  readonly mac: string;
}

/** Whether the log has the seal with which the export ends. */
export async function isAnchor(
  auditSeals: Pick<AuditSeals, 'list'>,
  { last, mac }: ExportAnchor,
): Promise<boolean> {
  const [seal] = await auditSeals.list({ after: last - 1, limit: 1 });
  return seal?.last === last && seal.mac === mac;
}
