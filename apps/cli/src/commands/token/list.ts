import type { Operator, Principal, Token, TokenReport } from '@gatehouse/domain';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import type { Gatehouse } from '../../gatehouse.ts';
import { reader } from '../../input/caller.ts';
import { asOption, examples, listOutputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { tokenView } from '../../views/token-view.ts';

interface Options extends OutputOptions {
  readonly as?: string;
}

const PAGE = 1000;

export function tokenList(token: Command, cli: Cli): void {
  listOutputOptions(token.command('list').description('list the tokens, oldest first'))
    .addOption(asOption("list only the tokens of this admin's account"))
    .addHelpText(
      'after',
      examples('gatehouse token list', 'gatehouse token list --as ada@acme.example --json'),
    )
    .action(async (options: Options) => {
      await using gatehouse = await cli.open();
      const caller = await reader(cli, gatehouse, options.as);
      await createPrinter(cli.streams, options).list(pages(gatehouse, caller), tokenView);
    });
}

async function* pages(
  gatehouse: Gatehouse,
  caller: Principal | Operator,
): AsyncGenerator<readonly TokenReport[]> {
  let after: Token | undefined;
  for (;;) {
    const page = unwrap(await gatehouse.listTokens(caller, { limit: PAGE, after }));
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.grant.token;
  }
}
