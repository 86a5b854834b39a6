import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { userView } from '../../views/user-view.ts';

export function userEnable(user: Command, cli: Cli): void {
  outputOptions(
    user.command('enable').description('let a disabled user in again; tokens that were revoked stay so'),
  )
    .argument('<email>', "the user's email address")
    .addHelpText('after', examples('gatehouse user enable bo@acme.example'))
    .action(async (email: string, output: OutputOptions) => {
      const printer = createPrinter(cli.streams, output);
      await using gatehouse = await cli.open();
      const { user: enabled, already } = unwrap(await gatehouse.enableUser(cli.operator, email));
      await printer.note(
        already
          ? `${enabled.email} is not disabled; nothing changed.`
          : `${enabled.email} is enabled, and may sign in. Tokens that ended with the disabling stay revoked.`,
      );
      await printer.document(userView.document(enabled));
    });
}
