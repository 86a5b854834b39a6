import type { AccountId } from '@gatehouse/domain/accounts';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { accountOption, examples, listOutputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { organizationView } from '../../views/organization-view.ts';

interface Options extends OutputOptions {
  readonly account?: AccountId;
}

export function orgList(org: Command, cli: Cli): void {
  listOutputOptions(org.command('list').description('list the organizations, of one account or all'))
    .addOption(accountOption())
    .addHelpText('after', examples('gatehouse org list --account 1'))
    .action(async ({ account, ...options }: Options) => {
      await using gatehouse = await cli.open();
      const organizations = unwrap(await gatehouse.listOrganizations(cli.operator, { accountId: account }));
      await createPrinter(cli.streams, options).list(organizations, organizationView);
    });
}
