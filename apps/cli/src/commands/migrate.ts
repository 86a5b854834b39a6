import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changeOptions } from '../input/options.ts';
import { createPrinter } from '../output/printer.ts';
import { withProgress } from '../output/progress.ts';
import type { OutputOptions } from '../output/view.ts';

export function migrate(program: Command, cli: Cli): void {
  const command = program.command('migrate').description("Bring the database's schema up to date");
  changeOptions(command, { examples: ['DATABASE_URL=postgres://db.example/gatehouse gatehouse migrate'] });
  command.action(async (options: OutputOptions) => {
    const printer = createPrinter(cli.streams, options);
    const applied = await withProgress(cli, options, 'Bringing the schema up to date', (_, above) =>
      cli.migrate({
        onApplied: (name) => above(() => printer.note(`Applied ${name}.`)),
        onWaiting: (text) => above(() => printer.note(`${text} ...`)),
      }),
    );
    await printer.note('The schema is up to date.');
    await printer.document({ applied });
  });
}
