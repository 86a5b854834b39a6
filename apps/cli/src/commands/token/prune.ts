import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { PrunableTokens } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import type { Command } from 'commander';
import type { Cli, Gatehouse } from '../../cli.ts';
import { Interrupted } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { CONSENTS, consentTo } from '../../input/consent.ts';
import { type ChangeOptions, changeOptions } from '../../input/options.ts';
import { toMilliseconds } from '../../input/parsers.ts';
import { createPrinter } from '../../output/printer.ts';
import { type SayProgress, withProgress } from '../../output/progress.ts';
import { write } from '../../output/write.ts';
import { counted } from '../../views/count.ts';

interface Options extends Omit<ChangeOptions, 'reason'> {
  readonly olderThan: number;
  readonly dryRun?: boolean;
}

export function tokenPrune(token: Command, cli: Cli): void {
  const command = token
    .command('prune')
    .description('Delete the records of sign-in tokens that ended long ago; API tokens are kept')
    .requiredOption(
      '--older-than <duration>',
      'Minimum time since the tokens ended, such as 90d; units s, m, h, d, w',
      toMilliseconds,
    )
    .option('--dry-run', 'Print how many records there are, without deleting them');
  changeOptions(command, {
    asks: true,
    notes: [
      'A token ended when it was revoked or when it expired, whichever came first. The audit log keeps its history. The command can be interrupted at any time and run again. With --json it prints {"ended_before", "dry_run", "count", "more"}: a dry run counts up to 100,000 records, and "more" says whether there are more.',
    ],
    examples: [
      'gatehouse token prune --older-than 90d --dry-run',
      'gatehouse token prune --older-than 90d --yes',
    ],
  });
  command.action(async ({ olderThan: olderThanMs, dryRun = false, yes, ...output }: Options) => {
    const confirm = consentTo(cli, CONSENTS['token prune'], yes || dryRun);
    const printer = createPrinter(cli, output);
    await using gatehouse = await cli.open();
    const prunable = unwrap(await gatehouse.countPrunableTokens(cli.operator, { olderThanMs }));
    const { endedBefore, count } = prunable;
    const document = { ended_before: formatInstant(endedBefore), dry_run: dryRun };
    if (dryRun || count === 0) {
      await printer.note(`${summaryOf(prunable)}. Nothing was deleted.`);
      return printer.document({ ...document, count, more: prunable.more });
    }
    await confirm(async () => [`${summaryOf(prunable)}. The audit log keeps their history.`]);
    const pruned = await withProgress(cli, output, 'Deleting records', (say) =>
      prune(cli, gatehouse, endedBefore, say),
    );
    await printer.note(`Deleted the records of ${counted(pruned, 'sign-in token')}.`);
    await printer.document({ ...document, count: pruned, more: false });
  });
}

/** Deletes one batch after another, each in its own transaction, so that an interrupt leaves no batch half deleted. */
async function prune(cli: Cli, gatehouse: Gatehouse, endedBefore: Instant, say: SayProgress) {
  let total = 0;
  try {
    for (;;) {
      if (cli.signal.aborted) throw new Interrupted();
      const { pruned, more } = unwrap(await gatehouse.pruneTokens(cli.operator, { endedBefore }));
      total += pruned;
      if (!more) return total;
      say(`Deleting records: ${total} done`);
    }
  } catch (error) {
    const message = `Deleted the records of ${counted(total, 'sign-in token')}. Run the command again for the rest.\n`;
    await write(cli.streams.stderr, message).catch(() => undefined);
    throw error;
  }
}

function summaryOf({ endedBefore, count, more }: PrunableTokens): string {
  return `${more ? 'More than ' : ''}${counted(count, 'sign-in token')} ended before ${shortTime(endedBefore)}`;
}
