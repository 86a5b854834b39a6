import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, listOutputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { keyView } from '../../views/key-view.ts';

export function keyList(key: Command, cli: Cli): void {
  listOutputOptions(
    key
      .command('list')
      .description(
        'list the signing keys, oldest first, with the tokens that each signed and that are still good, and when each can retire',
      ),
  )
    .addHelpText(
      'after',
      [
        '\nA key that only verifies can retire once the last of its tokens has expired. Tokens without expiry keep it',
        'until they are rotated or revoked, or until `gatehouse key retire --revoke-tokens` ends them.\n',
      ].join('\n') + examples('gatehouse key list', 'gatehouse key list --json'),
    )
    .action(async (options: OutputOptions) => {
      await using gatehouse = await cli.open();
      const keys = unwrap(await gatehouse.listKeys(cli.operator));
      await createPrinter(cli.streams, options).list([keys], keyView);
    });
}
