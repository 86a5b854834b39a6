import type { AuditFindings } from './audit-findings.ts';
import type { AuditSeal } from './audit-seal.ts';
import type { SealCryptography } from './audit-seals.ts';
import { type ExportedLine, parseExportedLine } from './exported-lines.ts';
import { sealLine } from './lines.ts';
import { hashesOf, lineHash, lineHashAt } from './make-seal.ts';
import type { SealedRow } from './sealed-rows.ts';
import type { AuditVerification } from './verify-audit-log.ts';

/** A seal of the log, and what the log has of its events. */
interface Compared {
  readonly seal: AuditSeal;
  readonly isGenuine: boolean;
  readonly rows: readonly SealedRow[];
}

/** Whether the events were pruned may have changed since the export. */
const PRUNED = /,"pruned_at":"[^"]+"(?=\}\}$)/;

type Line = ExportedLine & { readonly number: number; readonly text: string };

/**
 * Compares the lines of an export, which are read once and in order, with the seals of the log, in order. What precedes
 * the export's first line and what follows its last one is not compared.
 */
export function createExportComparison(
  lines: AsyncIterable<string>,
  cryptography: SealCryptography,
  findings: AuditFindings,
) {
  const read = numbered(lines);
  let current: Line | undefined;
  let begun = false;
  /** The position of the next line, once one was read. */
  let next: number | undefined;
  let compared = 0;
  let begins = 0;
  let anchor = 0;

  async function advance(): Promise<void> {
    begun = true;
    const step = await read.next();
    current = step.done ? undefined : step.value;
  }

  /** Reports what is missing before a position. */
  function arriveAt(position: number): void {
    if (next !== undefined && position > next)
      findings.add({ kind: 'lines_removed', first: next, last: position - 1 });
  }

  function compareEvent(
    line: Extract<Line, { kind: 'event' }>,
    { seal, isGenuine, rows }: Compared,
  ): boolean {
    const { position, id, number, text } = line;
    compared += 1;
    if (isGenuine) {
      const same = lineHash(cryptography, text) === lineHashAt(seal, position);
      if (!same) findings.add({ kind: 'line_changed', line: number, position });
      return same;
    }
    const row = rows[position - seal.first];
    if (row && row.line !== text) findings.add({ kind: 'event_changed', position, id });
    return true;
  }

  function compareSeal(
    { seal: { last, mac }, number, text }: Extract<Line, { kind: 'seal' }>,
    { seal, isGenuine }: Compared,
  ): void {
    if (last !== seal.last || mac !== seal.mac) findings.add({ kind: 'anchor_differs', line: number, last });
    else if (isGenuine && text.replace(PRUNED, '') !== sealLine({ ...seal, pruned: null })) {
      findings.add({ kind: 'seal_line_changed', line: number, last });
    } else anchor = last;
  }

  return {
    /** Compares the lines up to the end of this seal. */
    async compare(of: Compared): Promise<void> {
      if (!begun) await advance();
      const { seal } = of;
      const texts: string[] = [];
      let allSame = true;
      while (current && endOf(current) <= seal.last) {
        const line: Line = current;
        if (begins === 0) begins = startOf(line);
        if (line.kind === 'unreadable') findings.add({ kind: 'line_unreadable', line: line.number });
        else if (line.kind === 'seal') {
          const { first, last } = line.seal;
          const left = line.prunedBefore && seal.pruned !== null && texts.length === 0;
          if (!left) arriveAt(last + 1);
          else if (next !== undefined && first > next) arriveAt(first);
          next = last + 1;
          compareSeal(line, of);
        } else if (line.position < Math.max(seal.first, next ?? 0)) {
          findings.add({ kind: 'line_out_of_place', line: line.number });
        } else {
          arriveAt(line.position);
          next = line.position + 1;
          texts.push(line.text);
          allSame = compareEvent(line, of) && allSame;
        }
        await advance();
      }
      const isWhole = texts.length === seal.last - seal.first + 1;
      if (of.isGenuine && isWhole && allSame && hashesOf(cryptography, texts).digest !== seal.digest) {
        findings.add({ kind: 'lines_changed', first: seal.first, last: seal.last });
      }
    },

    /** Reads what is left after the last seal. Returns the number of compared events, and the last position with the same seal. */
    async finish(lastSealed: number): Promise<Pick<AuditVerification, 'compared' | 'begins' | 'anchor'>> {
      if (!begun) await advance();
      let exported = 0;
      for (; current; await advance()) {
        const line: Line = current;
        if (line.kind === 'unreadable') findings.add({ kind: 'line_unreadable', line: line.number });
        else exported = Math.max(exported, endOf(line));
      }
      if (exported > lastSealed) findings.add({ kind: 'log_ends_early', last: lastSealed, exported });
      return { compared, begins, anchor };
    },
  };
}

/** The first position that the line says anything of. */
function startOf(line: ExportedLine): number {
  return line.kind === 'seal' ? line.seal.first : endOf(line);
}

/** The position up to which one has to go for the line; an unreadable one is reported where it stands. */
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

async function* numbered(lines: AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of lines) {
    number += 1;
    yield { ...parseExportedLine(text), number, text };
  }
}
