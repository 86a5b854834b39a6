import type { AuditFinding } from '@gatehouse/domain/audit';

/** Describes a finding in one line. */
export function findingText(finding: AuditFinding): string {
  switch (finding.kind) {
    case 'event_changed':
      return `The event at position ${finding.position} was changed (id ${finding.id}).`;
    case 'events_changed':
      return `Some of the events at positions ${finding.first} to ${finding.last} were changed.`;
    case 'event_removed':
      return `The event at position ${finding.position} was removed (id ${finding.id}).`;
    case 'event_inserted':
      return `An event was inserted (id ${finding.id}).`;
    case 'table_changed':
      return `The tables of the log differ from their migration and may hide events: ${finding.what}.`;
    case 'pruning_forged':
      return `The events at positions ${finding.first} to ${finding.last} are marked as pruned, but not with the seal key.`;
    case 'seal_changed':
      return `The seal of positions ${finding.first} to ${finding.last} was changed: its events cannot be verified.`;
    case 'seals_removed':
      return `The seals of positions ${finding.first} to ${finding.last} were removed.`;
    case 'line_changed':
      return `Line ${finding.line} of the file was changed (position ${finding.position}).`;
    case 'lines_changed':
      return `Some lines of the file were changed (positions ${finding.first} to ${finding.last}).`;
    case 'seal_line_changed':
      return `Line ${finding.line} of the file, a seal, was changed (position ${finding.last}).`;
    case 'seal_line_removed':
      return `The line of the seal of positions ${finding.first} to ${finding.last} is missing in the file.`;
    case 'lines_removed':
      return `Lines of the file are missing (positions ${finding.first} to ${finding.last}).`;
    case 'line_out_of_place':
      return `Line ${finding.line} of the file is out of place.`;
    case 'line_unreadable':
      return `Line ${finding.line} of the file is not a line of an export.`;
    case 'file_unsealed':
      return 'The file has no seal of this log: it is empty, or its end was cut off.';
    case 'anchor_differs':
      return `The log differs from the exported one at position ${finding.last} or before (line ${finding.line} of the file).`;
    case 'log_ends_early':
      return `The log ends at position ${finding.last}, but the file at ${finding.exported}: the end of the log was removed, or the log was restored from a backup.`;
  }
}
