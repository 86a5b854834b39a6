import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { accountView } from '../../views/account-view.ts';

interface Options extends OutputOptions {
  readonly name: string;
}

export function accountCreate(account: Command, cli: Cli): void {
  outputOptions(account.command('create').description('create an account, and print its id'))
    .requiredOption('--name <name>', "the customer's name")
    .addHelpText('after', examples('gatehouse account create --name "Acme Works"'))
    .action(async (options: Options) => {
      const printer = createPrinter(cli.streams, options);
      await using gatehouse = await cli.open();
      const created = unwrap(await gatehouse.createAccount(cli.operator, { name: options.name }));
      await printer.note(`Account "${created.name}" is created. Its id:`);
      await printer.value(String(created.id), accountView.document(created));
    });
}
