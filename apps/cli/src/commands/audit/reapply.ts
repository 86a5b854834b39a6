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
  arguments: { file: { description: 'The export, from before the restore' } },
  options: {
    dryRun: { description: 'Print what would be done, without doing it' },
    anchor: {
      value: 'file',
      description: 'Refuse an export that does not reach the last line of this file',
    },
    partial: {
      description: 'Leave out lines that are not genuine, and continue where events are missing',
      conflicts: ['anchor'],
    },
  },
  notes: [
    'For a database that was restored from a backup, where tokens revoked since the backup work again. Reads an export of the audit log, and makes again the changes that the restored log does not have: it revokes tokens, disables users, suspends accounts and retires keys. Each change gets its own event, by you, with its original reason. Running the command a second time changes nothing.',
    'It trusts only lines that a MAC of this installation proves. It refuses (status 5) lines that were changed, added, removed, repeated or moved, and lines of another installation. It also refuses an export if neither it nor the backup has some of the events, even if these were pruned before the export. With --partial, it leaves these out and lists them, makes the other changes again, and ends with status 6. A file that was cut off right after a seal looks complete: compare the time at which it ends, or pass the last line of the export, which you kept elsewhere, with --anchor.',
    'It only counts the changes that the log cannot bring back: tokens, users, accounts, organizations and keys that were created since, and new passwords, roles, memberships and expiries. Set the password again of each user whose password was set since (user.password_set); setting a password also ends sessions. A key that is active in the backup stays active: create and activate another one, and then retire it. Exit status: 6 if a change could not be made again.',
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
    if (problems.length > SHOWN) await printer.note('And more; --json prints up to a thousand.');
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
    for (const [action, count] of others) await printer.note(`Not brought back: ${count} × ${action}.`);
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
        `${counts('done')} made again, ${counts('already')} were already in force, ${counts('unknown')} are not in the backup.`,
      );
    }
    const failed = counts('last_admin') + counts('key_active');
    if (failed > 0) {
      throw new CommandError('someFailed', `${counted(failed, 'change')} could not be made again.`);
    }
    if (problems.length > 0) {
      throw new CommandError(
        'someFailed',
        'The export is not complete: changes that it lacks were not made again.',
      );
    }
  },
});

/** Says what --partial left out, in one line. */
function problemText(problem: ExportProblem): string {
  switch (problem.code) {
    case 'export_not_genuine':
      return `Left out: line ${problem.line} and the events before it, since the last seal, are not as they were sealed.`;
    case 'export_incomplete':
      return problem.pruned
        ? `Missing: the events up to position ${problem.last}, pruned before line ${problem.line} was written.`
        : `Missing: events before line ${problem.line}, up to position ${problem.last}.`;
    case 'export_unsealed':
      return `Left out: line ${problem.line} and the lines after it, which no seal covers.`;
  }
}

const AGAIN = { token: 'Revoked', user: 'Disabled', account: 'Suspended', key: 'Retired' };

function changeText({ change: { kind, id }, outcome }: ReappliedChange): string {
  const subject = `${kind} ${id}`;
  return {
    done: `${AGAIN[kind]} ${subject} again.`,
    already: `Nothing to do for ${subject}.`,
    unknown: `The backup does not have ${subject}.`,
    last_admin: `${subject} is the last active admin of the account and was not disabled.`,
    key_active: `${subject} is not verify-only and was not retired: activate another key of its format first, and run this command again.`,
  }[outcome];
}
