import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, listOutputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { keyView } from '../../views/key-view.ts';

export function keyList(key: Command, cli: Cli): void {
  listOutputOptions(key.command('list').description('list the signing keys, oldest first'))
    .addHelpText('after', examples('gatehouse key list'))
    .action(async (options: OutputOptions) => {
      await using gatehouse = await cli.open();
      const keys = unwrap(await gatehouse.listKeys(cli.operator));
      await createPrinter(cli.streams, options).list([keys], keyView);
    });
}
