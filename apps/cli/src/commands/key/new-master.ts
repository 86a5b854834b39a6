import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { describe } from '../../input/help.ts';
import { outputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';

export function keyNewMaster(key: Command, cli: Cli): void {
  const command = key.command('new-master').description('Print a new master key, for GATEHOUSE_MASTER_KEY');
  outputOptions(command);
  describe(command, { examples: ['(umask 077 && gatehouse key new-master > master.key)'] });
  command.action(async (options: OutputOptions) => {
    const printer = createPrinter(cli.streams, options);
    const { createMasterKey } = await import('@gatehouse/key-encryption');
    const masterKey = createMasterKey();
    await printer.note('Back it up, and keep it apart from the database:');
    await printer.secret(masterKey, { master_key: masterKey });
  });
}
