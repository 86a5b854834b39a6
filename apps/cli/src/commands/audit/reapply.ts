import type { ReappliedChange } from '@gatehouse/domain/audit';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { CommandError, Interrupted } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { CONSENTS, consentTo } from '../../input/consent.ts';
import { linesOfFile } from '../../input/export-file.ts';
import { type ChangeOptions, changeOptions } from '../../input/options.ts';
import { createPrinter } from '../../output/printer.ts';
import { counted } from '../../views/count.ts';

interface Options extends Omit<ChangeOptions, 'reason'> {
  readonly dryRun?: boolean;
}

const NOTES = [
  'For a database that was restored from a backup: what was revoked since is good again in it. Reads an export of the audit log, checks every seal and that it follows the one before, and makes again what the restored log does not have: token revocations, disabled users, suspended accounts and retired keys. Each change has its own event, by you, with the reason that it had. A second time changes nothing.',
  'It cannot bring back what is not in the log: tokens, users, accounts, organizations and keys that were made since, and passwords, roles, memberships and new expiries. These are counted. Set the passwords of users again whose password was set since (user.password_set), and end sessions by setting a password. A key that the backup has as active stays: create and activate another one, and retire it then. Exit status: 6 if a change could not be made again.',
];

export function auditReapply(audit: Command, cli: Cli): void {
  const command = audit
    .command('reapply')
    .argument('<file>', 'The export, from before the restore')
    .description('Revoke again, after a restore, what was revoked since the backup')
    .option('--dry-run', 'Print what would be done, without doing it');
  changeOptions(command, {
    asks: true,
    notes: NOTES,
    examples: ['gatehouse audit reapply audit.jsonl --dry-run', 'gatehouse audit reapply audit.jsonl --yes'],
  });
  command.action(async (path: string, { dryRun = false, yes, ...output }: Options) => {
    const confirm = consentTo(cli, CONSENTS['audit reapply'], yes || dryRun);
    const printer = createPrinter(cli.streams, output);
    await using gatehouse = await cli.open({ signs: true });
    const lost = unwrap(await gatehouse.reapplyAuditEvents(cli.operator, { exported: linesOfFile(path) }));
    const { events, changes, others, begins, absent } = lost;
    const summary = `The log lacks ${counted(events, 'event')} of the export; ${counted(changes.length, 'change')} can be made again.`;
    if (begins > 1)
      await printer.note(`The file begins at position ${begins}: what was before is not made again.`);
    if (absent > 0) {
      await printer.note(
        `The file does not have ${counted(absent, 'event')} that were pruned before it was written: what they changed is not made again.`,
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
      absent,
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
        `${counts('done')} made again, ${counts('already')} were in force, ${counts('unknown')} are of what the backup does not have.`,
      );
    }
    if (failed > 0)
      throw new CommandError('someFailed', `${counted(failed, 'change')} could not be made again.`);
  });
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
