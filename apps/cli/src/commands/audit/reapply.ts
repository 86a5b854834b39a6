import type { ExportProblem, ReappliedChange } from '@gatehouse/domain/audit';
import { formatInstant } from '@gatehouse/domain/time';
import { defineSteps } from '../../described/kinds.ts';
import { CommandError, Interrupted } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { anchorInFile, linesOfFile } from '../../files/export-file.ts';
import { counted } from '../../views/count.ts';

/** Maximum number of problems that are printed. */
const SHOWN = 20;

export const auditReapply = defineSteps({
  verb: 'reapply',
  summary: 'After a restore, repeat the revocations made since the backup',
  arguments: { file: { description: 'An export of the audit log, written before the restore' } },
  options: {
    dryRun: { description: 'Print what would be done, without doing it' },
    anchor: {
      value: 'file',
      description: 'Refuse an export that does not have the seal on the last line of this file',
    },
    partial: {
      description: 'Skip lines that do not match a seal, and continue where events are missing',
      conflicts: ['anchor'],
    },
  },
  notes: [
    'After a database was restored from a backup, tokens that were revoked since the backup work again. This command reads an export of the audit log, and makes again the changes that the restored log does not have: it revokes tokens, limits tokens to the networks that they had, disables users, unlinks identities at identity providers, suspends accounts, retires keys, and revokes invitations that were revoked or accepted. The audit log records each of these changes as made by you, with the original reason. Running the command a second time changes nothing.',
    'The command trusts only lines that match a seal of this installation. It refuses (status 5) an export with lines that were changed, added, removed, repeated or moved, or with lines of another installation. It also refuses an export if some events are neither in it nor in the backup, even if these events were pruned before the export. With --partial, the command skips such lines, lists what it skipped, makes the other changes again, and ends with status 6. A file that was cut off right after a seal looks complete. So compare the time at which the export ends, which the command prints, or keep the last line of the export elsewhere and pass it with --anchor.',
    'Some changes cannot be repeated from the log, and the command only counts them: tokens, users, accounts, organizations and keys that were created since the backup, and new passwords, second factors, roles, memberships, expiries and rules for tokens. If the password of a user was set or reset since the backup (user.password_set, user.password_reset), set it again; this also ends the sessions of the user. A key that is active in the backup stays active: create and activate another key, and then retire that key. Exit status: 6 if a change could not be made again.',
  ],
  examples: ['gatehouse audit reapply audit.jsonl --dry-run', 'gatehouse audit reapply audit.jsonl --yes'],
  asks: {
    action: 'make the changes again',
    question: 'This cannot be undone. Make these changes again?',
    declined: 'Nothing was changed.',
    when: (dryRun) => !dryRun,
  },
  needs: () => ({ signs: true }),
  prints: 'change',
  async steps(
    gatehouse,
    caller,
    { file, dryRun = false, partial = false, ...given },
    { cli, printer, confirm },
  ) {
    const anchor = given.anchor === undefined ? undefined : await anchorInFile(given.anchor);
    const exported = linesOfFile(file);
    const lost = unwrap(await gatehouse.reapplyAuditEvents(caller, { exported, anchor, partial }));
    const { events, changes, others, begins, ends, problems } = lost;
    const summary = `The log lacks ${counted(events, 'event')} of the export; ${counted(changes.length, 'change')} can be made again.`;
    for (const problem of problems.slice(0, SHOWN)) await printer.note(problemText(problem));
    if (problems.length > SHOWN)
      await printer.note('There are more problems; --json prints up to a thousand.');
    if (ends) {
      await printer.note(
        `The export ends at position ${ends.position}, sealed at ${formatInstant(ends.sealedAt)}: later changes are not repeated.`,
      );
    }
    const done: ReappliedChange[] = [];
    if (dryRun || changes.length === 0) await printer.note(`${summary} Nothing was changed.`);
    else {
      await confirm(async () => [summary]);
      for await (const made of lost.reapply()) {
        done.push(made);
        await printer.note(changeText(made));
        if (cli.signal.aborted) throw new Interrupted();
      }
    }
    for (const [action, count] of others)
      await printer.note(`Cannot be repeated from the export: ${count} × ${action}.`);
    const shown = dryRun ? changes.map((change) => ({ change, outcome: null })) : done;
    await printer.document({
      dry_run: dryRun,
      lost: events,
      begins,
      ends: ends?.position ?? 0,
      ends_at: ends ? formatInstant(ends.sealedAt) : null,
      problems: problems.map((problem) => ({ ...problem })),
      changes: shown.map(({ change: { kind, id }, outcome }) => ({ kind, id, outcome })),
      not_brought_back: Object.fromEntries(others),
    });
    const counts = (outcome: ReappliedChange['outcome']) =>
      done.filter((each) => each.outcome === outcome).length;
    if (done.length > 0) {
      await printer.note(
        `Made again: ${counts('done')}. Already in force: ${counts('already')}. Not in the backup: ${counts('unknown')}.`,
      );
    }
    const failed = counts('last_admin') + counts('key_active') + counts('older_edition');
    if (failed > 0) {
      throw new CommandError('someFailed', `${counted(failed, 'change')} could not be made again.`);
    }
    if (problems.length > 0) {
      throw new CommandError(
        'someFailed',
        'Some lines were left out or are missing, and the changes in them were not made again.',
      );
    }
  },
});

/** Describes in one line why an export is incomplete: `--partial` skipped lines of the file, or events are missing. */
function problemText(problem: ExportProblem): string {
  switch (problem.code) {
    case 'export_not_genuine':
      return `Left out: the lines from the previous seal to line ${problem.line} do not match a seal of this installation.`;
    case 'export_incomplete':
      return problem.pruned
        ? `Missing: the events up to position ${problem.last}, which were pruned before line ${problem.line} was written.`
        : `Missing: events before line ${problem.line}, up to position ${problem.last}.`;
    case 'export_unsealed':
      return `Left out: line ${problem.line} and the lines after it, which no seal covers.`;
  }
}

const AGAIN = {
  token: 'Revoked',
  networks: 'Set the',
  user: 'Disabled',
  identity: 'Unlinked',
  account: 'Suspended',
  key: 'Retired',
  invitation: 'Revoked',
};

const SUBJECTS: Partial<Record<keyof typeof AGAIN, string>> = {
  networks: 'networks of token',
  identity: 'identity of user',
};

function changeText({ change: { kind, id }, outcome }: ReappliedChange): string {
  const subject = `${SUBJECTS[kind] ?? kind} ${id}`;
  return {
    done: `${AGAIN[kind]} ${subject} again.`,
    already: `The change of ${subject} is already in force.`,
    unknown: `The backup does not have ${subject}.`,
    last_admin: `${subject} was not disabled, because this user is the last active admin of the account.`,
    older_edition: `The ${subject} were not set, because a program of an older version is connected to the database: end it, and run this command again.`,
    key_active: `${subject} is not verify-only and was not retired: activate another key of its format first, and run this command again.`,
  }[outcome];
}
