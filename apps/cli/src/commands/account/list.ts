import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { listOutputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { accountView } from '../../views/account-view.ts';

export function accountList(account: Command, cli: Cli): void {
  const command = account.command('list').description('List the accounts');
  listOutputOptions(command, accountView);
  describe(command, { examples: ['gatehouse account list'] });
  command.action(async (options: OutputOptions) => {
    await using gatehouse = await cli.open();
    const accounts = unwrap(await gatehouse.listAccounts(cli.operator));
    await createPrinter(cli.streams, options).list(accounts, accountView);
  });
}
