/** Something in the audit log, its seals or an export that is not as it was sealed. Positions and lines begin at 1. */
export type AuditFinding =
  /** The event is in the log, but it is another one than was sealed. */
  | { readonly kind: 'event_changed'; readonly position: number; readonly id: number }
  /** Some of these events were changed so that it cannot be said which. */
  | { readonly kind: 'events_changed'; readonly first: number; readonly last: number }
  | { readonly kind: 'event_removed'; readonly position: number; readonly id: number }
  /** The event is where no event was: its id was passed over, or never given. */
  | { readonly kind: 'event_inserted'; readonly id: string }
  /** A table of the log differs from its migration, so it may not show all of its rows. */
  | { readonly kind: 'table_changed'; readonly what: string }
  /** These events were called pruned by one who has no seal key. */
  | { readonly kind: 'pruning_forged'; readonly first: number; readonly last: number }
  | { readonly kind: 'seal_changed'; readonly first: number; readonly last: number }
  | { readonly kind: 'seals_removed'; readonly first: number; readonly last: number }
  /** The export has other lines than were sealed. */
  | { readonly kind: 'line_changed'; readonly line: number; readonly position: number }
  | { readonly kind: 'lines_changed'; readonly first: number; readonly last: number }
  /** The line of the seal that ends at this position is not as it was exported. */
  | { readonly kind: 'seal_line_changed'; readonly line: number; readonly last: number }
  /** The export goes on after the events of this seal without its line. */
  | { readonly kind: 'seal_line_removed'; readonly first: number; readonly last: number }
  | { readonly kind: 'lines_removed'; readonly first: number; readonly last: number }
  | { readonly kind: 'line_out_of_place'; readonly line: number }
  | { readonly kind: 'line_unreadable'; readonly line: number }
  /** No line of the file is a seal, so that nothing proves where it ends: it is empty, or its end was cut off. */
  | { readonly kind: 'file_unsealed' }
  /** The log's seal at this position is not the one that was exported: its history was replaced, or it is another log. */
  | { readonly kind: 'anchor_differs'; readonly line: number; readonly last: number }
  /** The export goes on: the end of the log was removed, or it was restored from a backup. */
  | { readonly kind: 'log_ends_early'; readonly last: number; readonly exported: number };

/** The findings of one kind that are kept: a log can have as many as it has events, and they must not hide others. */
const KEPT_OF_KIND = 1000;

/** Collects findings. */
export class AuditFindings {
  readonly kept: AuditFinding[] = [];
  readonly #counts = new Map<AuditFinding['kind'], number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(finding: AuditFinding): void {
    this.#count += 1;
    const ofKind = (this.#counts.get(finding.kind) ?? 0) + 1;
    this.#counts.set(finding.kind, ofKind);
    if (ofKind <= KEPT_OF_KIND) this.kept.push(finding);
  }
}
