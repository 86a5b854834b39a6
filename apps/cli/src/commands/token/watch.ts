import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { Interrupted } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { reader } from '../../input/caller.ts';
import { asOption, examples } from '../../input/options.ts';
import { toTokenId } from '../../input/parsers.ts';
import { printableJson } from '../../output/printable.ts';
import { createPrinter } from '../../output/printer.ts';
import { watchReader } from '../../output/watch-reader.ts';
import { offer } from '../../output/write.ts';
import { activityDocument, activityLine } from '../../views/activity-view.ts';

interface Options {
  readonly as?: string;
  readonly jsonl?: true;
  readonly quiet?: true;
}

export function tokenWatch(token: Command, cli: Cli): void {
  token
    .command('watch')
    .description('print how often tokens are used and refused, and why, as it happens, until interrupted')
    .argument('[id...]', "the tokens' ids (default: all)")
    .addOption(asOption("watch only the tokens of this admin's account"))
    .addOption(new Option('--jsonl', 'print one JSON object a line'))
    .option('--quiet', 'say nothing on standard error but what went wrong')
    .addHelpText(
      'after',
      `
Each server tells once a second of the tokens that were used since: a line for each. What was used before is not
shown; \`gatehouse token list\` has the last use of each token. Where DATABASE_URL leads through a connection pooler,
DATABASE_LISTEN_URL has to name the database itself. Ctrl-C ends it, with status 130.
${examples(
  'gatehouse token watch',
  'gatehouse token watch 019a0000-0000-7000-8000-000000000000 --as ada@acme.example',
  `gatehouse token watch --jsonl | jq 'select(.refusals != {})'`,
)}`,
    )
    .action(async (texts: readonly string[], options: Options) => {
      const ids = texts.map(toTokenId);
      const { stdout } = cli.streams;
      await using gatehouse = await cli.open();
      const caller = await reader(cli, gatehouse, options.as);
      const watch = unwrap(await gatehouse.watchTokens(caller, ids.length > 0 ? { ids } : undefined));
      using watched = watchReader(stdout);
      const over = AbortSignal.any([cli.signal, watched.gone]);
      const close = () => void watch.close();
      over.addEventListener('abort', close);
      if (over.aborted) close();
      await createPrinter(cli.streams, options).note('Watching; Ctrl-C ends.');
      for await (const activity of watch) {
        const line = options.jsonl ? printableJson(activityDocument(activity)) : activityLine(activity);
        if (!(await offer(stdout, `${line}\n`))) break;
      }
      // As it was asked to: there is nothing to say.
      if (cli.signal.aborted) throw new Interrupted('');
    });
}
