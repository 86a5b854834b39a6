import type { AccountId } from '@gatehouse/domain/accounts';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { accountOption, changeOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { organizationView } from '../../views/organization-view.ts';

interface Options extends OutputOptions {
  readonly account: AccountId;
  readonly name: string;
  readonly description?: string;
}

export function orgCreate(org: Command, cli: Cli): void {
  const command = org
    .command('create')
    .description('Create an organization and print its id')
    .addOption(accountOption("The account's id").makeOptionMandatory())
    .requiredOption('--name <name>', "The organization's name")
    .option('--description <text>', 'What the organization is');
  changeOptions(command);
  describe(command, { examples: ['gatehouse org create --account 1 --name "Press shop"'] });
  command.action(async ({ account: accountId, name, description, ...options }: Options) => {
    const printer = createPrinter(cli.streams, options);
    await using gatehouse = await cli.open();
    const input = { accountId, name, description: description ?? null };
    const created = unwrap(await gatehouse.createOrganization(cli.operator, input));
    await printer.note(`Created organization "${created.name}". Its id:`);
    await printer.value(String(created.id), organizationView.document(created));
  });
}
