import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { changeOptions } from '../../input/options.ts';
import { newPassword, type PasswordOptions, passwordStdinOption } from '../../input/password.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { counted } from '../../views/count.ts';
import { userView } from '../../views/user-view.ts';

type Options = OutputOptions & PasswordOptions;

export function userSetPassword(user: Command, cli: Cli): void {
  const command = user
    .command('set-password')
    .description("Set a user's password, which signs the user out everywhere; asks for the password")
    .argument('<email>', "The user's email address")
    .addOption(passwordStdinOption());
  changeOptions(command);
  describe(command, {
    examples: [
      'gatehouse user set-password bo@acme.example',
      'gatehouse user set-password bo@acme.example --password-stdin < secret.txt',
    ],
  });
  command.action(async (email: string, options: Options) => {
    const printer = createPrinter(cli.streams, options);
    await using gatehouse = await cli.open();
    // An unknown address is refused before the password is asked for, and the password policy reads the address.
    const found = unwrap(await gatehouse.findUser(cli.operator, email));
    const password = await newPassword(cli, found.email, options);
    const set = unwrap(await gatehouse.setPassword(cli.operator, { email, password }));
    await printer.note(
      `Set the password of ${set.user.email}, which ended ${counted(set.signedOut, 'sign-in')}.`,
    );
    await printer.document(userView.document(set.user));
  });
}
