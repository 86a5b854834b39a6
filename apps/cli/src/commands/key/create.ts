import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { changeOptions, formatOption } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { keyDocument } from '../../views/key-view.ts';

interface Options extends OutputOptions {
  readonly format?: TokenFormat;
}

export function keyCreate(key: Command, cli: Cli): void {
  const command = key
    .command('create')
    .description('Create a staged signing key and print its id')
    .addOption(formatOption());
  changeOptions(command);
  describe(command, { examples: ['gatehouse key create --format paseto'] });
  command.action(async (options: Options) => {
    const printer = createPrinter(cli.streams, options);
    await using gatehouse = await cli.open({ signs: true });
    const format = options.format ?? (await cli.defaultFormat());
    const created = unwrap(await gatehouse.createKey(cli.operator, format));
    await printer.note(
      'Created a staged key. Once every server knows it, `gatehouse key activate ID` makes it sign new tokens. Its id:',
    );
    await printer.value(created.id, keyDocument(created));
  });
}
