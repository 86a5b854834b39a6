import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, listOutputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { accountView } from '../../views/account-view.ts';

export function accountList(account: Command, cli: Cli): void {
  listOutputOptions(account.command('list').description('list the accounts'))
    .addHelpText('after', examples('gatehouse account list'))
    .action(async (options: OutputOptions) => {
      await using gatehouse = await cli.open();
      const accounts = unwrap(await gatehouse.listAccounts(cli.operator));
      await createPrinter(cli.streams, options).list(accounts, accountView);
    });
}
