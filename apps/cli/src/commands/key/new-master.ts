import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';

export function keyNewMaster(key: Command, cli: Cli): void {
  outputOptions(key.command('new-master').description('print a new master key, for GATEHOUSE_MASTER_KEY'))
    .addHelpText('after', examples('(umask 077 && gatehouse key new-master > master.key)'))
    .action(async (options: OutputOptions) => {
      const printer = createPrinter(cli.streams, options);
      const { createMasterKey } = await import('@gatehouse/key-encryption');
      const masterKey = createMasterKey();
      await printer.note('Keep it apart from the database, and never lose it:');
      await printer.secret(masterKey, { master_key: masterKey });
    });
}
