import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { changeOptions } from '../../input/options.ts';
import { toKeyId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { keyDocument } from '../../views/key-view.ts';

export function keyActivate(key: Command, cli: Cli): void {
  const command = key
    .command('activate')
    .description('Sign new tokens with a staged key; the previous key keeps verifying')
    .argument('<id>', "The key's id")
    // An id may begin with a hyphen.
    .allowUnknownOption();
  changeOptions(command);
  describe(command, {
    examples: ['gatehouse key activate k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs'],
  });
  command.action(async (id: string, options: OutputOptions) => {
    const printer = createPrinter(cli.streams, options);
    const keyId = toKeyId(id);
    await using gatehouse = await cli.open();
    const activated = unwrap(await gatehouse.activateKey(cli.operator, keyId));
    await printer.note(`New ${activated.format} tokens are now signed with the key ${activated.id}.`);
    await printer.document(keyDocument(activated));
  });
}
