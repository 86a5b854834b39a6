import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { toKeyId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { keyDocument } from '../../views/key-view.ts';

export function keyActivate(key: Command, cli: Cli): void {
  outputOptions(
    key
      .command('activate')
      .description('sign with a staged key from now on; the one before goes on verifying'),
  )
    .argument('<id>', 'the key')
    // An id may begin with a hyphen.
    .allowUnknownOption()
    .addHelpText(
      'after',
      examples('gatehouse key activate k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs'),
    )
    .action(async (id: string, options: OutputOptions) => {
      const printer = createPrinter(cli.streams, options);
      const keyId = toKeyId(id);
      await using gatehouse = await cli.open();
      const activated = unwrap(await gatehouse.activateKey(cli.operator, keyId));
      await printer.note(`From now on ${activated.format} tokens are signed with the key ${activated.id}.`);
      await printer.document(keyDocument(activated));
    });
}
