import type { AccountId } from '@gatehouse/domain/accounts';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { type Filter, filterOptions, usedFilters } from '../../input/filters.ts';
import { describe } from '../../input/help.ts';
import { accountOption, listOutputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { userView } from '../../views/user-view.ts';

interface Options extends OutputOptions {
  readonly account?: AccountId;
}

const FILTERS: readonly Filter[] = [[accountOption('List only the users of this account'), 'ACCOUNT']];

export function userList(user: Command, cli: Cli): void {
  const command = user.command('list').description('List the users of one account, or of all');
  filterOptions(listOutputOptions(command, userView), FILTERS);
  describe(command, { examples: ['gatehouse user list --account 1'] });
  command.action(async (options: Options) => {
    await using gatehouse = await cli.open();
    const users = unwrap(await gatehouse.listUsers(cli.operator, { accountId: options.account }));
    const printer = createPrinter(cli.streams, options);
    await printer.list(users, userView, usedFilters(FILTERS, options));
  });
}
