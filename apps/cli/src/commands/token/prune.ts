import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { PrunableTokens } from '@gatehouse/domain/tokens';
import { type Command, Option } from 'commander';
import type { Cli, Gatehouse } from '../../cli.ts';
import { Interrupted, usageError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { toMilliseconds } from '../../input/parsers.ts';
import { askToConfirm, canAsk } from '../../input/prompt.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { type SayProgress, withProgress } from '../../output/progress.ts';
import { write } from '../../output/write.ts';
import { shortTime } from '../../views/time.ts';

interface Options extends OutputOptions {
  readonly olderThan: number;
  readonly dryRun?: true;
  readonly yes?: true;
}

export function tokenPrune(token: Command, cli: Cli): void {
  outputOptions(
    token
      .command('prune')
      .description('delete the records of sign-in tokens that ended long ago; API tokens stay'),
  )
    .addOption(
      new Option(
        '--older-than <duration>',
        'how long ago they ended at least, such as 90d; units s, m, h, d, w',
      )
        .argParser(toMilliseconds)
        .makeOptionMandatory(),
    )
    .option('--dry-run', 'say how many there are, and delete nothing')
    .option('--yes', 'do not ask; needed where there is no terminal to ask at')
    .addHelpText(
      'after',
      `
A token ended when it was revoked or when it expired, whichever came first. The audit log keeps the story of those
that are deleted. It may be interrupted at any time, and run again. With --json it prints {"ended_before",
"dry_run", "count", "more"}: a dry run counts up to 100,000 and then says that there are more.
${examples('gatehouse token prune --older-than 90d --dry-run', 'gatehouse token prune --older-than 90d --yes')}`,
    )
    .action(async (options: Options) => {
      if (!options.yes && !options.dryRun && !canAsk(cli.streams)) {
        throw usageError(
          'There is no terminal to ask at: confirm that records are to be deleted with --yes.',
        );
      }
      const printer = createPrinter(cli.streams, options);
      await using gatehouse = await cli.open();
      const prunable = unwrap(
        await gatehouse.countPrunableTokens(cli.operator, { olderThanMs: options.olderThan }),
      );
      const { endedBefore, count } = prunable;
      const document = { ended_before: formatInstant(endedBefore), dry_run: options.dryRun ?? false };
      if (options.dryRun || count === 0) {
        await printer.note(`${said(prunable)}. Nothing was deleted.`);
        return printer.document({ ...document, count, more: prunable.more });
      }
      if (!options.yes) await confirm(cli, prunable);
      const pruned = await withProgress(cli, options, 'Deleting records', (say) =>
        prune(cli, gatehouse, endedBefore, say),
      );
      await printer.note(`The records of ${tokens(pruned)} are deleted.`);
      await printer.document({ ...document, count: pruned, more: false });
    });
}

async function confirm(cli: Cli, prunable: PrunableTokens): Promise<void> {
  await createPrinter(cli.streams, {}).note(`${said(prunable)}; the audit log keeps their story.`);
  const sure = await askToConfirm(cli, 'Their records go for good. Delete them?');
  if (!sure) throw new Interrupted('Nothing was deleted.');
}

/** Batch after batch. Each is done when it is done, so that whatever ends this in between leaves nothing half done. */
async function prune(
  cli: Cli,
  gatehouse: Gatehouse,
  endedBefore: Instant,
  say: SayProgress,
): Promise<number> {
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
    const message = `The records of ${tokens(total)} are deleted. Run it again for the rest.\n`;
    await write(cli.streams.stderr, message).catch(() => undefined);
    throw error;
  }
}

function said({ endedBefore, count, more }: PrunableTokens): string {
  return `${more ? 'More than ' : ''}${tokens(count)} ended before ${shortTime(endedBefore)}`;
}

function tokens(count: number): string {
  return `${count} sign-in token${count === 1 ? '' : 's'}`;
}
