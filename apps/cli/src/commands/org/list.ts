import type { AccountId } from '@gatehouse/domain/accounts';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { type Filter, filterOptions, usedFilters } from '../../input/filters.ts';
import { describe } from '../../input/help.ts';
import { accountOption, listOutputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { organizationView } from '../../views/organization-view.ts';

interface Options extends OutputOptions {
  readonly account?: AccountId;
}

const FILTERS: readonly Filter[] = [
  [accountOption('List only the organizations of this account'), 'ACCOUNT'],
];

export function orgList(org: Command, cli: Cli): void {
  const command = org.command('list').description('List the organizations of one account, or of all');
  filterOptions(listOutputOptions(command, organizationView), FILTERS);
  describe(command, { examples: ['gatehouse org list --account 1'] });
  command.action(async (options: Options) => {
    await using gatehouse = await cli.open();
    const organizations = unwrap(
      await gatehouse.listOrganizations(cli.operator, { accountId: options.account }),
    );
    const printer = createPrinter(cli.streams, options);
    await printer.list(organizations, organizationView, usedFilters(FILTERS, options));
  });
}
