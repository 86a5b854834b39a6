import type { AuditFindings } from './audit-findings.ts';
import type { AuditSeal } from './audit-seal.ts';
import { type ExportedLine, type ReadLine, readExport } from './exported-lines.ts';
import { sealLine } from './lines.ts';
import { hashesOf, lineHash, lineHashAt, pruningMacOf, type Sealing } from './make-seal.ts';
import type { SealedRow } from './sealed-rows.ts';

/** Numbers about the comparison with an export. All are 0 if no export was given. */
export interface ExportComparison {
  /** The number of events in the export that were compared with the log. */
  readonly compared: number;
  /** The position of the first line of the export. Events before it were not compared. */
  readonly begins: number;
  /**
   * The last position at which the export and the log have the same seal. Events after this position are not proven by
   * the export.
   */
  readonly anchor: number;
}

/** A seal of the log, and the events that the log now has at the positions of the seal. */
interface Compared {
  readonly seal: AuditSeal;
  readonly isGenuine: boolean;
  readonly rows: readonly SealedRow[];
}

type EventLine = Extract<ReadLine, { readonly kind: 'event' }>;
type SealLine = Extract<ReadLine, { readonly kind: 'seal' }>;

/**
 * Compares the lines of an export with the seals of the log, both in order. The lines are read once. Events before the
 * first line of the export and after its last line are not compared.
 */
export function createExportComparison(
  lines: AsyncIterable<string>,
  sealing: Sealing,
  findings: AuditFindings,
) {
  const { cryptography } = sealing;
  const read = readExport(lines);
  let current: ReadLine | undefined;
  let begun = false;
  /** The expected position of the next line; undefined before the first line. */
  let next: number | undefined;
  /** The last position of the seals whose lines were read. */
  let sealedTo = 0;
  let compared = 0;
  let begins = 0;
  let anchor = 0;

  async function advance(): Promise<void> {
    begun = true;
    const step = await read.next();
    current = step.done ? undefined : step.value;
  }

  /** Reports the lines that are missing between the previous line and this position. */
  function arriveAt(position: number): void {
    if (next !== undefined && position > next)
      findings.add({ kind: 'lines_removed', first: next, last: position - 1 });
  }

  function compareEvent(line: EventLine, { seal, isGenuine, rows }: Compared): boolean {
    const { position, id, number, text } = line;
    compared += 1;
    const row = rows[position - seal.first]?.line;
    if (!isGenuine) {
      if (row !== undefined && row !== text) findings.add({ kind: 'event_changed', position, id });
      return true;
    }
    const hash = lineHashAt(seal, position);
    // Only the first characters of the sealed line's hash are stored, so a changed line may have the same ones. If the
    // log still has the sealed line, the export's line is therefore compared with that line, too.
    const same =
      lineHash(cryptography, text) === hash &&
      (row === undefined || row === text || lineHash(cryptography, row) !== hash);
    if (!same) findings.add({ kind: 'line_changed', line: number, position });
    return same;
  }

  /**
   * Whether the line of a seal proves that the seal's events were pruned before the export, and therefore have no lines
   * in it.
   */
  function isPruning({ seal: exported, pruned, text }: SealLine, { seal }: Compared): boolean {
    if (!pruned) return false;
    // An older version of Gatehouse wrote no MAC into the line. Such a line is compared with the pruning in the log.
    if (pruned.mac === undefined) {
      return seal.pruned?.at === pruned.at && text === sealLine(seal, { ...pruned, mac: undefined });
    }
    return pruned.mac === pruningMacOf(sealing, exported, pruned.at);
  }

  /** Compares the exported line of a seal with a seal of the log. Returns whether both have the same last position. */
  function compareSeal(line: SealLine, of: Compared, hasEvents: boolean): boolean {
    const { seal: exported, pruned, number, text } = line;
    const { first, last, mac } = exported;
    const { seal, isGenuine } = of;
    if (last <= sealedTo) {
      findings.add({ kind: 'line_out_of_place', line: number });
      return false;
    }
    const isPruned = !hasEvents && isPruning(line, of);
    arriveAt(isPruned ? first : last + 1);
    next = last + 1;
    sealedTo = last;
    const isAsExported = pruned ? isPruned : text === sealLine(seal);
    if (last !== seal.last || mac !== seal.mac) findings.add({ kind: 'anchor_differs', line: number, last });
    else if (isGenuine && !isAsExported) findings.add({ kind: 'seal_line_changed', line: number, last });
    else anchor = last;
    return last === seal.last;
  }

  return {
    /** Compares the lines of the export up to the end of this seal of the log. */
    async compare(of: Compared): Promise<void> {
      if (!begun) await advance();
      const { seal } = of;
      const texts: string[] = [];
      let [allSame, isSealed] = [true, false];
      while (current && endOf(current) <= seal.last) {
        const line: ReadLine = current;
        if (begins === 0) begins = startOf(line);
        if (line.kind === 'unreadable') findings.add({ kind: 'line_unreadable', line: line.number });
        else if (line.kind === 'seal') isSealed = compareSeal(line, of, texts.length > 0) || isSealed;
        else if (line.position < Math.max(seal.first, next ?? 0)) {
          findings.add({ kind: 'line_out_of_place', line: line.number });
        } else {
          arriveAt(line.position);
          next = line.position + 1;
          texts.push(line.text);
          allSame = compareEvent(line, of) && allSame;
        }
        await advance();
      }
      // A seal that is missing at the end of the file is not reported, because the export may have been interrupted
      // there.
      if (texts.length > 0 && !isSealed && current) {
        findings.add({ kind: 'seal_line_removed', first: seal.first, last: seal.last });
      }
      const isWhole = texts.length === seal.last - seal.first + 1;
      if (of.isGenuine && isWhole && allSame && hashesOf(cryptography, texts).digest !== seal.digest) {
        findings.add({ kind: 'lines_changed', first: seal.first, last: seal.last });
      }
    },

    /** Reads the lines after the last seal of the log, and returns the numbers of the whole comparison. */
    async finish(lastSealed: number): Promise<ExportComparison> {
      if (!begun) await advance();
      let exported = 0;
      for (; current; await advance()) {
        const line: ReadLine = current;
        if (line.kind === 'unreadable') findings.add({ kind: 'line_unreadable', line: line.number });
        else if (endOf(line) > lastSealed) exported = Math.max(exported, endOf(line));
        else findings.add({ kind: 'line_out_of_place', line: line.number });
      }
      if (exported > lastSealed) findings.add({ kind: 'log_ends_early', last: lastSealed, exported });
      else if (sealedTo === 0) findings.add({ kind: 'file_unsealed' });
      return { compared, begins, anchor };
    },
  };
}

/** The first position that is compared if the export begins with this line. */
function startOf(line: ExportedLine): number {
  if (line.kind !== 'seal') return endOf(line);
  return line.pruned ? line.seal.first : line.seal.last + 1;
}

/**
 * The last position that a line of the export covers. Returns 0 for an unreadable line, so that the line is reported
 * before any line after it.
 */
function endOf(line: ExportedLine): number {
  switch (line.kind) {
    case 'event':
      return line.position;
    case 'seal':
      return line.seal.last;
    case 'unreadable':
      return 0;
  }
}
