import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { withProgress } from '../../output/progress.ts';

interface Options extends OutputOptions {
  readonly newMasterKeyFile?: string;
}

const HELP = `
Tokens stay good, and running servers go on. Interrupted, it is finished by running it again.

A master key in the data folder is replaced there; without a file, by one that is new. One that the settings give
is yours to replace: first keep the new one beside the file that GATEHOUSE_MASTER_KEY_FILE names, as that name with
".new", so that servers find the one of the two that opens the keys; then rewrap; then rename it over the old one.
Servers that have GATEHOUSE_MASTER_KEY in their environment must be given the new one and restarted before the next
key is activated. Backups of the database from before need the old master key: keep it with them.
`;

export function keyRewrap(key: Command, cli: Cli): void {
  outputOptions(
    key.command('rewrap').description('encrypt the signing keys under a new master key, all of them at once'),
  )
    .option(
      '--new-master-key-file <file>',
      'holds the new master key, as `gatehouse key new-master` prints it',
    )
    .addHelpText(
      'after',
      HELP +
        examples(
          'gatehouse key rewrap',
          'gatehouse key new-master > master.key.new && gatehouse key rewrap --new-master-key-file master.key.new',
        ),
    )
    .action(async (options: Options) => {
      const printer = createPrinter(cli.streams, options);
      await using gatehouse = await cli.open();
      const { newMasterKeyFile } = options;
      const { rewrapped, unchanged, path } = unwrap(
        await withProgress(cli, options, 'Encrypting the signing keys', () =>
          gatehouse.rewrapKeys(cli.operator, newMasterKeyFile),
        ),
      );
      await printer.note(
        rewrapped > 0
          ? `Signing keys that are encrypted under the new master key now: ${rewrapped + unchanged}.`
          : 'The signing keys were encrypted under the new master key already.',
      );
      await printer.note(
        path === undefined
          ? 'From now on servers and commands need it to start: put it where GATEHOUSE_MASTER_KEY or GATEHOUSE_MASTER_KEY_FILE has the old one.'
          : `It is in ${path}, in place of the old one. Back it up, apart from the database.`,
      );
      await printer.document({ rewrapped, unchanged });
    });
}
