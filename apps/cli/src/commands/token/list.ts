import type { KeyId } from '@gatehouse/domain/signing-keys';
import {
  TOKEN_KINDS,
  TOKEN_STATES,
  type TokenKind,
  type TokenPages,
  type TokenState,
  type TokenStatus,
} from '@gatehouse/domain/tokens';
import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { CommandError, Interrupted } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-status.ts';
import { unwrap } from '../../errors/refusals.ts';
import { reader } from '../../input/caller.ts';
import { asOption, examples, listOutputOptions } from '../../input/options.ts';
import { toKeyId, toMilliseconds, toName } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { tokenView } from '../../views/token-view.ts';

interface Options extends OutputOptions {
  readonly as?: string;
  readonly creator?: string;
  readonly creatorInactive?: true;
  readonly kind?: TokenKind;
  readonly key?: KeyId;
  readonly state?: TokenState;
  readonly unusedFor?: number;
  readonly neverExpiring?: true;
  readonly expiringWithin?: number;
}

export function tokenList(token: Command, cli: Cli): void {
  listOutputOptions(
    token
      .command('list')
      .description('list the tokens, oldest first; with several filters, those that all take'),
  )
    .addOption(asOption("list only the tokens of this admin's account"))
    .addOption(new Option('--creator <email>', 'those of this user').argParser(toName))
    .option('--creator-inactive', 'those whose creator is disabled, or whose account is suspended')
    .addOption(new Option('--kind <kind>', 'those of this kind').choices(TOKEN_KINDS))
    .addOption(new Option('--key <id>', 'those that this key signed').argParser(toKeyId))
    .addOption(new Option('--state <state>', 'those in this state').choices(TOKEN_STATES))
    .addOption(
      new Option(
        '--unused-for <duration>',
        'those that work, and were neither created nor used for so long, such as 90d',
      ).argParser(toMilliseconds),
    )
    .addOption(
      new Option(
        '--expiring-within <duration>',
        'those that work, and expire so soon, such as 14d; soonest first',
      ).argParser(toMilliseconds),
    )
    .option('--never-expiring', 'those that work, and will until somebody ends them')
    .addHelpText(
      'after',
      `
With --expiring-within the exit status is 6 if any token is listed, so that cron can tell somebody.
${examples(
  'gatehouse token list --as ada@acme.example --state active',
  'gatehouse token list --unused-for 90d --jsonl',
  'gatehouse token list --expiring-within 14d --kind api',
)}`,
    )
    .action(
      async ({
        as,
        creator,
        creatorInactive,
        kind,
        key,
        state,
        unusedFor,
        neverExpiring,
        expiringWithin,
        ...output
      }: Options) => {
        await using gatehouse = await cli.open();
        const caller = await reader(cli, gatehouse, as);
        const filters = {
          creator,
          creatorInactive,
          kind,
          keyId: key,
          state,
          unusedFor,
          neverExpiring,
          expiringWithin,
        };
        const pages = unwrap(await gatehouse.listTokens(caller, filters));
        let listed = 0;
        const counted = counting(cli, pages, (count) => {
          listed += count;
        });
        await createPrinter(cli.streams, output).list(counted, tokenView);
        if (expiringWithin !== undefined && listed > 0) {
          const tokens = listed === 1 ? '1 token expires' : `${listed} tokens expire`;
          throw new CommandError(EXIT.someFailed, `${tokens} within this time.`);
        }
      },
    );
}

/** The same pages, until the command is interrupted. */
async function* counting(
  { signal }: Cli,
  pages: TokenPages,
  count: (tokens: number) => void,
): AsyncGenerator<readonly TokenStatus[]> {
  for await (const page of pages) {
    if (signal.aborted) throw new Interrupted();
    count(page.length);
    yield page;
  }
}
