import type { Scope } from '@gatehouse/domain/access';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import { type ListTokensInput, TOKEN_KINDS, TOKEN_STATES } from '@gatehouse/domain/tokens';
import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { CommandError, Interrupted } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { reader } from '../../input/caller.ts';
import type { ActingOptions, Filters } from '../../input/options.ts';
import { asOption, filteredColumns, listOptions, streamOptions } from '../../input/options.ts';
import { toKeyId, toMilliseconds, toName, toTokenId } from '../../input/parsers.ts';
import { printableJson } from '../../output/printable.ts';
import { createPrinter } from '../../output/printer.ts';
import { offer } from '../../output/write.ts';
import { activityDocument, activityLine } from '../../views/activity-view.ts';
import { goneScopeNotes } from '../../views/gone-scopes.ts';
import { tokenView } from '../../views/token-view.ts';

interface Options extends ActingOptions, Omit<ListTokensInput, 'keyId'> {
  readonly key?: KeyId;
}

const FILTERS: Filters = {
  OWNER: [
    new Option('--creator <email>', "List this user's tokens").argParser(toName),
    new Option('--creator-inactive', 'List tokens of disabled users and of suspended accounts'),
  ],
  KIND: [new Option('--kind <kind>', 'List tokens of this kind').choices(TOKEN_KINDS)],
  // The list has no such column.
  KEY: [new Option('--key <id>', 'List tokens signed by this key').argParser(toKeyId)],
  STATE: [new Option('--state <state>', 'List tokens in this state').choices(TOKEN_STATES)],
  'LAST USED': [
    new Option(
      '--unused-for <duration>',
      'List active tokens neither created nor used for this long, such as 90d',
    ).argParser(toMilliseconds),
  ],
  EXPIRES: [
    new Option(
      '--expiring-within <duration>',
      'List active tokens that expire within this time, such as 14d, soonest first',
    ).argParser(toMilliseconds),
    new Option('--never-expiring', 'List active tokens without an expiry'),
  ],
};

export function tokenList(token: Command, cli: Cli): void {
  const command = token
    .command('list')
    .description('List the tokens, newest first; filters are combined with AND')
    .addOption(asOption("List only the tokens of this admin's account"));
  listOptions(command, tokenView, {
    filters: FILTERS,
    notes: [
      'The table begins with the newest token, as on the pages; --json and --jsonl begin with the oldest. With --unused-for all begin with the oldest, with --expiring-within with the token that expires soonest; the exit status is then 6 if any token is listed, for use in cron jobs.',
    ],
    examples: [
      'gatehouse token list --as ada@acme.example --state active',
      'gatehouse token list --unused-for 90d --jsonl',
      'gatehouse token list --expiring-within 14d --kind api',
    ],
  });
  command.action(async (options: Options) => {
    await using gatehouse = await cli.open();
    const caller = await reader(cli, gatehouse, options.as);
    const newestFirst = !options.json && !options.jsonl;
    const filter = { ...options, keyId: options.key, newestFirst };
    const pages = unwrap(await gatehouse.listTokens(caller, filter));
    let listed = 0;
    const scopes = new Set<Scope>();
    async function* untilInterrupted() {
      for await (const page of pages) {
        if (cli.signal.aborted) throw new Interrupted();
        listed += page.length;
        for (const scope of page.flatMap((each) => each.scopes)) scopes.add(scope);
        yield page;
      }
    }
    const printer = createPrinter(cli, options, filteredColumns(FILTERS, options));
    await printer.list(untilInterrupted(), tokenView);
    for (const line of goneScopeNotes(cli.catalog, scopes)) await printer.note(line);
    if (options.expiringWithin !== undefined && listed > 0) {
      const tokens = listed === 1 ? '1 token expires' : `${listed} tokens expire`;
      throw new CommandError('someFailed', `${tokens} within this time.`);
    }
  });
}

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
    await createPrinter(cli, options).note('Watching. Press Ctrl-C to stop.');
    for await (const activity of watch) {
      const line = options.jsonl ? printableJson(activityDocument(activity)) : activityLine(activity);
      if (!(await offer(stdout, `${line}\n`))) break;
    }
    // A user who pressed Ctrl-C needs no message.
    if (cli.signal.aborted) throw new Interrupted('');
  });
}
