import type { AccountId } from '@gatehouse/domain/accounts';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { accountOption, examples, listOutputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { userView } from '../../views/user-view.ts';

interface Options extends OutputOptions {
  readonly account?: AccountId;
}

export function userList(user: Command, cli: Cli): void {
  listOutputOptions(user.command('list').description('list the users, of one account or all'))
    .addOption(accountOption())
    .addHelpText('after', examples('gatehouse user list --account 1'))
    .action(async ({ account, ...options }: Options) => {
      await using gatehouse = await cli.open();
      const users = unwrap(await gatehouse.listUsers(cli.operator, { accountId: account }));
      await createPrinter(cli.streams, options).list(users, userView);
    });
}
