/** A difference of the audit log, its seals or an export from the sealed state. Positions and lines begin at 1. */
export type AuditFinding =
  /** The log has another event than the sealed one. */
  | { readonly kind: 'event_changed'; readonly position: number; readonly id: number }
  /** Some of these events were changed. The hash does not show which. */
  | { readonly kind: 'events_changed'; readonly first: number; readonly last: number }
  | { readonly kind: 'event_removed'; readonly position: number; readonly id: number }
  /** The log has an event with an id that was skipped or never given. */
  | { readonly kind: 'event_inserted'; readonly id: string }
  /** A table of the log differs from its migration, and may not show everything that it holds. */
  | { readonly kind: 'table_changed'; readonly what: string }
  /** These events were marked as pruned without the seal key. */
  | { readonly kind: 'pruning_forged'; readonly first: number; readonly last: number }
  | { readonly kind: 'seal_changed'; readonly first: number; readonly last: number }
  | { readonly kind: 'seals_removed'; readonly first: number; readonly last: number }
  /** The export has other lines than were sealed. */
  | { readonly kind: 'line_changed'; readonly line: number; readonly position: number }
  | { readonly kind: 'lines_changed'; readonly first: number; readonly last: number }
  /** The line of the seal that ends at this position was changed after the export. */
  | { readonly kind: 'seal_line_changed'; readonly line: number; readonly last: number }
  /** The export continues after the events of this seal, but lacks its line. */
  | { readonly kind: 'seal_line_removed'; readonly first: number; readonly last: number }
  | { readonly kind: 'lines_removed'; readonly first: number; readonly last: number }
  | { readonly kind: 'line_out_of_place'; readonly line: number }
  | { readonly kind: 'line_unreadable'; readonly line: number }
  /** No line of the file is a seal, so nothing proves where it ends: it is empty, or its end was cut off. */
  | { readonly kind: 'file_unsealed' }
  /** The log has another seal at this position than the export: its history was replaced, or it is another log. */
  | { readonly kind: 'anchor_differs'; readonly line: number; readonly last: number }
  /** The export has later events: the end of the log was removed, or the log was restored from a backup. */
  | { readonly kind: 'log_ends_early'; readonly last: number; readonly exported: number };

/** The largest number of reported findings of one kind, so that one kind does not hide the others. */
const KEPT_OF_KIND = 1000;

/** Collects findings and counts them all. */
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
