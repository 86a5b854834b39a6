/**
 * A difference that a verification found: the audit log, its seals or an export are not as they were sealed. Positions
 * and lines are counted from 1.
 */
export type AuditFinding =
  /** The event in the log differs from the event that was sealed at this position. */
  | { readonly kind: 'event_changed'; readonly position: number; readonly id: number }
  /** Some of the events from the position `first` to `last` were changed. The hashes do not show which of them. */
  | { readonly kind: 'events_changed'; readonly first: number; readonly last: number }
  | { readonly kind: 'event_removed'; readonly position: number; readonly id: number }
  /** The log has an event whose id was skipped or never assigned, so the event was inserted later. */
  | { readonly kind: 'event_inserted'; readonly id: string }
  /** A table of the log is not as its migration created it, and may hide events from this program. */
  | { readonly kind: 'table_changed'; readonly what: string }
  /** The events from the position `first` to `last` were marked as pruned without the seal key. */
  | { readonly kind: 'pruning_forged'; readonly first: number; readonly last: number }
  | { readonly kind: 'seal_changed'; readonly first: number; readonly last: number }
  | { readonly kind: 'seals_removed'; readonly first: number; readonly last: number }
  /** A line of the export differs from the line that was sealed at this position. */
  | { readonly kind: 'line_changed'; readonly line: number; readonly position: number }
  | { readonly kind: 'lines_changed'; readonly first: number; readonly last: number }
  /** The line of the seal whose last position is `last` was changed after the export. */
  | { readonly kind: 'seal_line_changed'; readonly line: number; readonly last: number }
  /** The export has lines after the events of a seal, but lacks the line of that seal. */
  | { readonly kind: 'seal_line_removed'; readonly first: number; readonly last: number }
  | { readonly kind: 'lines_removed'; readonly first: number; readonly last: number }
  | { readonly kind: 'line_out_of_place'; readonly line: number }
  | { readonly kind: 'line_unreadable'; readonly line: number }
  /** No line of the exported file is a seal: the file is empty, or its end was cut off. */
  | { readonly kind: 'file_unsealed' }
  /**
   * The log and the export have different seals at this position. Either the history of the log was replaced, or the
   * export is of another log.
   */
  | { readonly kind: 'anchor_differs'; readonly line: number; readonly last: number }
  /**
   * The export has events after the last event of the log. Either the end of the log was removed, or the log was
   * restored from a backup.
   */
  | { readonly kind: 'log_ends_early'; readonly last: number; readonly exported: number };

/** At most this many findings of each kind are reported, so that one kind does not hide other kinds. */
const KEPT_OF_KIND = 1000;

/** Collects findings up to the limit of each kind, and counts all findings. */
export class AuditFindings {
  readonly kept: AuditFinding[] = [];
  readonly #counts = new Map<AuditFinding['kind'], number>();
  count = 0;

  add(finding: AuditFinding): void {
    this.count += 1;
    const ofKind = (this.#counts.get(finding.kind) ?? 0) + 1;
    this.#counts.set(finding.kind, ofKind);
    if (ofKind <= KEPT_OF_KIND) this.kept.push(finding);
  }
}
