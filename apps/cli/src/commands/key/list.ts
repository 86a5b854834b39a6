import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { listOutputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { keyView } from '../../views/key-view.ts';

export function keyList(key: Command, cli: Cli): void {
  const command = key
    .command('list')
    .description('List the signing keys, oldest first, with their live tokens and when each can be retired');
  listOutputOptions(command, keyView);
  describe(command, {
    notes: [
      'A verify-only key can be retired once the last of its tokens has expired. Tokens without an expiry keep it in use until they are rotated or revoked, or until `gatehouse key retire --revoke-tokens` revokes them.',
    ],
    examples: ['gatehouse key list', 'gatehouse key list --json'],
  });
  command.action(async (options: OutputOptions) => {
    await using gatehouse = await cli.open();
    const keys = unwrap(await gatehouse.listKeys(cli.operator));
    await createPrinter(cli.streams, options).list([keys], keyView);
  });
}
