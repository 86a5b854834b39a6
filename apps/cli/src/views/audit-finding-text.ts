import type { AuditFinding } from '@gatehouse/domain/audit';

type Kind = AuditFinding['kind'];
type Text<K extends Kind> = (finding: Extract<AuditFinding, { kind: K }>) => string;

const TEXTS: { readonly [K in Kind]: Text<K> } = {
  event_changed: ({ position, id }) => `The event at position ${position} was changed (id ${id}).`,
  events_changed: ({ first, last }) => `Some of the events at positions ${first} to ${last} were changed.`,
  event_removed: ({ position, id }) => `The event at position ${position} was removed (id ${id}).`,
  event_inserted: ({ id }) => `An event was inserted (id ${id}).`,
  table_changed: ({ what }) =>
    `The tables of the log are not as the migrations created them, and may hide events: ${what}.`,
  pruning_forged: ({ first, last }) =>
    `The events at positions ${first} to ${last} are marked as pruned, but the mark was not made with the seal key.`,
  seal_changed: ({ first, last }) =>
    `The seal of positions ${first} to ${last} was changed: its events cannot be verified.`,
  seals_removed: ({ first, last }) => `The seals of positions ${first} to ${last} were removed.`,
  line_changed: ({ line, position }) => `Line ${line} of the file was changed (position ${position}).`,
  lines_changed: ({ first, last }) => `Some lines of the file were changed (positions ${first} to ${last}).`,
  seal_line_changed: ({ line, last }) => `Line ${line} of the file, a seal, was changed (position ${last}).`,
  seal_line_removed: ({ first, last }) =>
    `The line of the seal of positions ${first} to ${last} is missing in the file.`,
  lines_removed: ({ first, last }) => `Lines of the file are missing (positions ${first} to ${last}).`,
  line_out_of_place: ({ line }) => `Line ${line} of the file is out of place.`,
  line_unreadable: ({ line }) => `Line ${line} of the file is not a line of an export.`,
  file_unsealed: () => 'The file has no seal of this log: it is empty, or its end was cut off.',
  anchor_differs: ({ last, line }) =>
    `The log differs from the export at position ${last} or at an earlier one (line ${line} of the file).`,
  log_ends_early: ({ last, exported }) =>
    `The log ends at position ${last}, but the file ends at position ${exported}: the end of the log was removed, or the log was restored from a backup.`,
};

/** Describes a finding in one line. */
export function findingText(finding: AuditFinding): string {
  return (TEXTS[finding.kind] as Text<Kind>)(finding);
}
