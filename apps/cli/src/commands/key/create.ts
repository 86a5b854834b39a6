import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, formatOption, outputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { keyDocument } from '../../views/key-view.ts';

interface Options extends OutputOptions {
  readonly format?: TokenFormat;
}

export function keyCreate(key: Command, cli: Cli): void {
  outputOptions(key.command('create').description('create a signing key, staged, and print its id'))
    .addOption(formatOption())
    .addHelpText('after', examples('gatehouse key create --format paseto'))
    .action(async (options: Options) => {
      const printer = createPrinter(cli.streams, options);
      await using gatehouse = await cli.open({ signs: true });
      const format = options.format ?? (await cli.defaultFormat());
      const created = unwrap(await gatehouse.createKey(cli.operator, format));
      await printer.note(
        'The key is created. It signs nothing until every server knows it and it is activated. Its id:',
      );
      await printer.value(created.id, keyDocument(created));
    });
}
