/** Something in the audit log, its seals or an export that is not as it was sealed. Positions and lines begin at 1. */
export type AuditFinding =
  /** The event is in the log, but it is another one than was sealed. */
  | { readonly kind: 'event_changed'; readonly position: number; readonly id: number }
  /** Some of these events were changed so that it cannot be said which. */
  | { readonly kind: 'events_changed'; readonly first: number; readonly last: number }
  | { readonly kind: 'event_removed'; readonly position: number; readonly id: number }
  /** The event is where no event was: its id was passed over, or never given. */
  | { readonly kind: 'event_inserted'; readonly id: string }
  | { readonly kind: 'seal_changed'; readonly first: number; readonly last: number }
  | { readonly kind: 'seals_removed'; readonly first: number; readonly last: number }
  /** The export has other lines than were sealed. */
  | { readonly kind: 'line_changed'; readonly line: number; readonly position: number }
  | { readonly kind: 'lines_changed'; readonly first: number; readonly last: number }
  | { readonly kind: 'lines_removed'; readonly first: number; readonly last: number }
  | { readonly kind: 'line_out_of_place'; readonly line: number }
  | { readonly kind: 'line_unreadable'; readonly line: number }
  /** The log's seal at this position is not the one that was exported: its history was replaced, or it is another log. */
  | { readonly kind: 'anchor_differs'; readonly line: number; readonly last: number }
  /** The export goes on: the end of the log was removed, or it was restored from a backup. */
  | { readonly kind: 'log_ends_early'; readonly last: number; readonly exported: number };

/** The findings that are kept: a log can have as many as it has events. */
const KEPT = 1000;

/** Collects findings. */
export class AuditFindings {
  readonly kept: AuditFinding[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(finding: AuditFinding): void {
    this.#count += 1;
    if (this.kept.length < KEPT) this.kept.push(finding);
  }
}
