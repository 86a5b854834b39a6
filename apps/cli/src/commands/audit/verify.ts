import type { AuditVerification } from '@gatehouse/domain/audit';
import { defineSteps } from '../../described/description.ts';
import { CommandError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { linesOfFile } from '../../files/export-file.ts';
import { findingText } from '../../views/audit-finding-text.ts';
import { counted } from '../../views/count.ts';

export const auditVerify = defineSteps({
  verb: 'verify',
  summary: 'Verify that the audit log, its seals and an export are as they were sealed',
  arguments: { file: { description: 'An export, or its last line', optional: true } },
  notes: [
    'Compares the audit log with its seals and, with a file, with an export or only its last line. Names the events that were changed, removed or inserted since they were sealed, and the lines of the file that are not as they were exported.',
    'It cannot find changes of events before they are sealed; servers seal new events every ten seconds. Without a file, it cannot find that all seals from some position to the end were removed and that servers then sealed changed events there; with a file, it cannot find that after the end of the file. It trusts the answers of PostgreSQL itself. It cannot find changes by a person who has the master key. Exit status: 0 if nothing was found, 6 if something was.',
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
    yield `Not sealed yet: ${counted(unsealed, 'event')}. Changes of these cannot be found.`;
  }
  if (!hasFile) {
    yield 'Without an export, a removed end of the log cannot be found.';
  } else if (anchor === 0) {
    yield 'The file has no anchor of this log.';
  } else {
    const from = begins > 1 && compared > 0 ? `, from position ${begins} on` : '';
    yield `Compared with the file: ${counted(compared, 'event')}${from}. Its anchor is at position ${anchor}: a cut after that position cannot be found.`;
  }
}
