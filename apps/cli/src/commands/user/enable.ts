import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { changeOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { userView } from '../../views/user-view.ts';

export function userEnable(user: Command, cli: Cli): void {
  const command = user
    .command('enable')
    .description('Let a disabled user sign in again; revoked tokens stay revoked')
    .argument('<email>', "The user's email address");
  changeOptions(command);
  describe(command, { examples: ['gatehouse user enable bo@acme.example'] });
  command.action(async (email: string, output: OutputOptions) => {
    const printer = createPrinter(cli.streams, output);
    await using gatehouse = await cli.open();
    const { user: enabled, already } = unwrap(await gatehouse.enableUser(cli.operator, email));
    await printer.note(
      already
        ? `${enabled.email} is not disabled; nothing changed.`
        : `Enabled ${enabled.email}. Tokens that were revoked when the user was disabled stay revoked.`,
    );
    await printer.document(userView.document(enabled));
  });
}
