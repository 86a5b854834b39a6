import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { Interrupted } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { reader } from '../../input/caller.ts';
import { type ActingOptions, asOption, streamOptions } from '../../input/options.ts';
import { toTokenId } from '../../input/parsers.ts';
import { printableJson } from '../../output/printable.ts';
import { createPrinter } from '../../output/printer.ts';
import { offer } from '../../output/write.ts';
import { activityDocument, activityLine } from '../../views/activity-view.ts';

export function tokenWatch(token: Command, cli: Cli): void {
  const command = token
    .command('watch')
    .description('Print how often tokens are used and refused, and why, as it happens')
    .argument('[id...]', "The tokens' ids (default: all)")
    .addOption(asOption("Watch only the tokens of this admin's account"));
  streamOptions(command, {
    notes: [
      'Each server reports once a second the tokens used since its last report, and each token gets a line. Earlier uses are not shown; `gatehouse token list` shows the last use of each token. If DATABASE_URL leads through a connection pooler, DATABASE_LISTEN_URL must name the database itself. Ctrl-C stops the command (exit status 130).',
    ],
    examples: [
      'gatehouse token watch',
      'gatehouse token watch 019a0000-0000-7000-8000-000000000000 --as ada@acme.example',
      `gatehouse token watch --jsonl | jq 'select(.refusals != {})'`,
    ],
  });
  command.action(async (texts: readonly string[], options: ActingOptions) => {
    const ids = texts.map(toTokenId);
    const { stdout } = cli.streams;
    await using gatehouse = await cli.open();
    const caller = await reader(cli, gatehouse, options.as);
    const watch = unwrap(await gatehouse.watchTokens(caller, ids.length > 0 ? { ids } : undefined));
    const close = () => void watch.close();
    cli.signal.addEventListener('abort', close);
    if (cli.signal.aborted) close();
    await createPrinter(cli.streams, options).note('Watching. Press Ctrl-C to stop.');
    for await (const activity of watch) {
      const line = options.jsonl ? printableJson(activityDocument(activity)) : activityLine(activity);
      if (!(await offer(stdout, `${line}\n`))) break;
    }
    // A user who pressed Ctrl-C needs no message.
    if (cli.signal.aborted) throw new Interrupted('');
  });
}
