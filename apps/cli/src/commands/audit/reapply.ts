import type { ExportProblem, ReappliedChange } from '@gatehouse/domain/audit';
import { formatInstant } from '@gatehouse/domain/time';
import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { CommandError, Interrupted } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { anchorInFile, linesOfFile } from '../../files/export-file.ts';
import { CONSENTS, consentTo } from '../../input/consent.ts';
import { type ChangeOptions, changeOptions } from '../../input/options.ts';
import { createPrinter } from '../../output/printer.ts';
import { counted } from '../../views/count.ts';

interface Options extends Omit<ChangeOptions, 'reason'> {
  readonly anchor?: string;
  readonly dryRun?: boolean;
  readonly partial?: boolean;
}

/** The exit status if lines were left out. */
const SHOWN = 20;

const NOTES = [
  'In a database that was restored from a backup, tokens that were revoked since are valid again. This command reads an export of the audit log and repeats the changes that the restored log lacks: revoked tokens, disabled users, suspended accounts and retired keys. Each change is recorded as your action, with its original reason. A second run changes nothing.',
  'It accepts only lines that a MAC of this installation proves. It refuses the export (status 5) if lines were changed, added, removed, repeated or moved, or are of another installation, or if events are missing that the backup does not have, even if they were pruned before the export. With --partial, it leaves out and names such lines, repeats the other changes, and exits with 6. If the file was cut off after a seal, nothing in it shows that: compare the time at which it ends, or use --anchor with the last line of the export, which you kept elsewhere.',
  'It cannot restore changes that the log does not contain: tokens, users, accounts, organizations and keys that were created since, and passwords, roles, memberships and new expiries. It counts these. If the password of a user was set since (user.password_set), set it again; that also ends the sessions of the user. A key that is active in the backup stays active: create and activate another key, and then retire it. Exit status: 6 if a change could not be repeated.',
];

export function auditReapply(audit: Command, cli: Cli): void {
  const command = audit
    .command('reapply')
    .argument('<file>', 'The export, from before the restore')
    .description('After a restore, repeat the revocations since the backup')
    .option('--dry-run', 'Print what would be done, without doing it')
    .option('--anchor <file>', 'Refuse an export that does not reach the last line of this file')
    .addOption(
      new Option('--partial', 'Leave out what is not genuine, and go on where events are missing').conflicts(
        'anchor',
      ),
    );
  changeOptions(command, {
    asks: true,
    notes: NOTES,
    examples: ['gatehouse audit reapply audit.jsonl --dry-run', 'gatehouse audit reapply audit.jsonl --yes'],
  });
  command.action(async (path: string, options: Options) => {
    const { anchor: anchorFile, dryRun = false, partial = false, yes, ...output } = options;
    const confirm = consentTo(cli, CONSENTS['audit reapply'], yes || dryRun);
    const printer = createPrinter(cli, output);
    await using gatehouse = await cli.open({ signs: true });
    const anchor = anchorFile === undefined ? undefined : await anchorInFile(anchorFile);
    const exported = linesOfFile(path);
    const lost = unwrap(await gatehouse.reapplyAuditEvents(cli.operator, { exported, anchor, partial }));
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
        await printer.note(saying(made));
        if (cli.signal.aborted) throw new Interrupted();
      }
    }
    for (const [action, count] of others) await printer.note(`Not brought back: ${count} × ${action}.`);
    const counts = (outcome: ReappliedChange['outcome']) =>
      done.filter((each) => each.outcome === outcome).length;
    const failed = counts('last_admin') + counts('key_active');
    await printer.document({
      dry_run: dryRun,
      lost: events,
      begins,
      ends: ends?.position ?? 0,
      ends_at: ends ? formatInstant(ends.sealedAt) : null,
      problems: problems.map((problem) => ({ ...problem })),
      changes: (dryRun ? changes.map((change) => ({ change, outcome: null })) : done).map(
        ({ change, outcome }) => ({
          kind: change.kind,
          id: change.id,
          outcome,
        }),
      ),
      not_brought_back: Object.fromEntries(others),
    });
    if (done.length > 0) {
      await printer.note(
        `${counts('done')} made again, ${counts('already')} were in force, ${counts('unknown')} concern records that the backup does not have.`,
      );
    }
    if (failed > 0)
      throw new CommandError('someFailed', `${counted(failed, 'change')} could not be made again.`);
    if (problems.length > 0) {
      throw new CommandError(
        'someFailed',
        'The export is incomplete: the missing changes were not made again.',
      );
    }
  });
}

/** Says what --partial left out, in one line. */
function problemText(problem: ExportProblem): string {
  switch (problem.code) {
    case 'export_not_genuine':
      return `Left out: line ${problem.line} and the events before it, since the last seal, are not as they were sealed.`;
    case 'export_incomplete':
      return problem.pruned
        ? `Missing: the events up to position ${problem.last}, which were pruned before line ${problem.line} was written.`
        : `Missing: events before line ${problem.line}, up to position ${problem.last}.`;
    case 'export_unsealed':
      return `Left out: line ${problem.line} and what follows, which no seal covers.`;
  }
}

function saying({ change: { kind, id }, outcome }: ReappliedChange): string {
  const subject = `${kind} ${id}`;
  switch (outcome) {
    case 'done':
      return `${{ token: 'Revoked', user: 'Disabled', account: 'Suspended', key: 'Retired' }[kind]} ${subject} again.`;
    case 'already':
      return `Nothing to do for ${subject}.`;
    case 'unknown':
      return `The backup does not have ${subject}.`;
    case 'last_admin':
      return `${subject} is the last active admin of the account and was not disabled.`;
    case 'key_active':
      return `${subject} is not verify-only and was not retired: activate another key of its format first, and run this command again.`;
  }
}
