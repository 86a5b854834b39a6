import type { AccountId } from '@gatehouse/domain/accounts';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { accountOption, examples, outputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { organizationView } from '../../views/organization-view.ts';

interface Options extends OutputOptions {
  readonly account: AccountId;
  readonly name: string;
  readonly description?: string;
}

export function orgCreate(org: Command, cli: Cli): void {
  outputOptions(org.command('create').description('create an organization, and print its id'))
    .addOption(accountOption().makeOptionMandatory())
    .requiredOption('--name <name>', "the organization's name")
    .option('--description <text>', 'what it is')
    .addHelpText('after', examples('gatehouse org create --account 1 --name "Press shop"'))
    .action(async ({ account: accountId, name, description, ...options }: Options) => {
      const printer = createPrinter(cli.streams, options);
      await using gatehouse = await cli.open();
      const input = { accountId, name, description: description ?? null };
      const created = unwrap(await gatehouse.createOrganization(cli.operator, input));
      await printer.note(`Organization "${created.name}" is created. Its id:`);
      await printer.value(String(created.id), organizationView.document(created));
    });
}
