import type { MasterKeyPlacement } from '@gatehouse/key-encryption';
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

The new master key takes the place of the old one in its file: the one that GATEHOUSE_MASTER_KEY_FILE names, or
master.key in the data folder. The old one is kept beside it, as that name with the date; backups of the database from
before need it. On several machines, first put the new one beside the old one on each, as that name with ".new"; then
run this on each.

A master key that this command cannot replace, such as one in GATEHOUSE_MASTER_KEY or in a read-only mount, is yours to
replace: give the new one in a file, and put it in place when the keys are encrypted. Servers that have
GATEHOUSE_MASTER_KEY in their environment must be restarted with the new one before the next key is activated.
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
          '(umask 077 && gatehouse key new-master > new.key) && gatehouse key rewrap --new-master-key-file new.key',
        ),
    )
    .action(async (options: Options) => {
      const printer = createPrinter(cli.streams, options);
      const { newMasterKeyFile } = options;
      await using gatehouse = await cli.open({ signs: true, newMasterKeyFile });
      const { rewrapped, unchanged, placement } = unwrap(
        await withProgress(cli, options, 'Encrypting the signing keys', () =>
          gatehouse.rewrapKeys(cli.operator),
        ),
      );
      await printer.note(
        rewrapped > 0
          ? `Signing keys that are encrypted under the new master key now: ${rewrapped + unchanged}.`
          : 'The signing keys were encrypted under the new master key already.',
      );
      for (const line of placement ? placementLines(placement) : []) await printer.note(line);
      const replaced = placement?.kind === 'replaced' ? placement : undefined;
      await printer.document({
        rewrapped,
        unchanged,
        master_key_file: replaced?.path ?? null,
        kept_master_key_file: replaced?.kept ?? null,
      });
    });
}

function placementLines(placement: MasterKeyPlacement): readonly string[] {
  if (placement.kind === 'replaced') {
    return [
      `The new master key is in ${placement.path}. Back it up, apart from the database.`,
      `The old one is kept in ${placement.kept}: backups of the database from before need it.`,
    ];
  }
  const place = placement.path ?? 'GATEHOUSE_MASTER_KEY';
  return [
    `The old master key could not be replaced from here (${placement.because}).`,
    `From now on servers and commands need the new one to start: put it in ${place}.`,
    'Keep the old one: backups of the database from before need it.',
  ];
}
