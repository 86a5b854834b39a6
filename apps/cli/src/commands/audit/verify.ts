import type { AuditVerification } from '@gatehouse/domain/audit';
import { defineSteps } from '../../described/kinds.ts';
import { CommandError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { linesOfFile } from '../../files/export-file.ts';
import { findingText } from '../../views/audit-finding-text.ts';
import { counted } from '../../views/count.ts';

export const auditVerify = defineSteps({
  verb: 'verify',
  summary: 'Check whether the audit log, its seals or an export were changed after the events were sealed',
  arguments: { file: { description: 'An export, or a copy of its last line', optional: true } },
  notes: [
    'Compares the audit log with its seals and, with a file, with an export or only its last line. Lists the events that were changed, removed or inserted since they were sealed, and the lines of the file that were changed since they were exported.',
    'The command does not detect changes made before an event was sealed; a server seals new events every ten seconds. Without a file, it does not detect that the last seals were removed and other events were sealed in their place. With a file, it detects this up to the end of the file. It trusts the answers of PostgreSQL, and does not detect changes by someone who has the master key. Exit status: 0 without findings, 6 with findings.',
  ],
  examples: ['gatehouse audit verify', 'gatehouse audit verify audit.jsonl'],
  needs: () => ({ signs: true }),
  prints: 'item',
  async steps({ verifyAuditLog }, caller, { file }, { output, printer }) {
    const exported = file === undefined ? undefined : linesOfFile(file);
    const verify = () => verifyAuditLog(caller, { exported });
    const verified = unwrap(await printer.progress('Verifying the audit log', verify));
    const { findings, found } = verified;
    if (output.json || found > 0) {
      await printer.value(findings.map(findingText).join('\n'), documentOf(verified));
    }
    for (const line of summaryOf(verified, file !== undefined)) await printer.note(line);
    if (found > 0) throw new CommandError('someFailed', `${counted(found, 'finding')}.`);
  },
});

function documentOf({ findings, ...verified }: AuditVerification): object {
  return { ...verified, findings: findings.map((finding) => ({ ...finding })) };
}

function* summaryOf(verified: AuditVerification, hasFile: boolean) {
  const { sealed, pruned, unsealed, compared, begins, anchor } = verified;
  const gone = pruned > 0 ? ` Deleted after an export: ${counted(pruned, 'event')}.` : '';
  yield `Sealed: ${counted(sealed, 'event')}.${gone}`;
  if (unsealed > 0) {
    yield `Not sealed yet: ${counted(unsealed, 'event')}. Changes to unsealed events cannot be detected.`;
  }
  if (!hasFile) {
    yield 'Without an export to compare with, the removal of the end of the log cannot be detected.';
  } else if (anchor === 0) {
    yield 'The file has no seal of this log, so the removal of the end of the log cannot be detected.';
  } else {
    const from = begins > 1 && compared > 0 ? `, from position ${begins} on` : '';
    yield `Compared with the file: ${counted(compared, 'event')}${from}. Its last seal is at position ${anchor}: the removal of later events cannot be detected.`;
  }
}
