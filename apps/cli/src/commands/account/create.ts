import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { changeOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { accountView } from '../../views/account-view.ts';

interface Options extends OutputOptions {
  readonly name: string;
}

export function accountCreate(account: Command, cli: Cli): void {
  const command = account.command('create').description('Create an account and print its id');
  changeOptions(command).requiredOption('--name <name>', "The customer's name");
  describe(command, { examples: ['gatehouse account create --name "Acme Works"'] });
  command.action(async (options: Options) => {
    const printer = createPrinter(cli.streams, options);
    await using gatehouse = await cli.open();
    const created = unwrap(await gatehouse.createAccount(cli.operator, { name: options.name }));
    await printer.note(`Created account "${created.name}". Its id:`);
    await printer.value(String(created.id), accountView.document(created));
  });
}
