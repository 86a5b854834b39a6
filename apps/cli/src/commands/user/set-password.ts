import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { newPassword, type PasswordOptions, passwordStdinOption } from '../../input/password.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { userView } from '../../views/user-view.ts';

type Options = OutputOptions & PasswordOptions;

export function userSetPassword(user: Command, cli: Cli): void {
  outputOptions(
    user
      .command('set-password')
      .description('set a new password, which ends the sign-ins of the old one; asks for the password'),
  )
    .argument('<email>', "the user's email address")
    .addOption(passwordStdinOption())
    .addHelpText(
      'after',
      examples(
        'gatehouse user set-password bo@acme.example',
        'gatehouse user set-password bo@acme.example --password-stdin < secret.txt',
      ),
    )
    .action(async (email: string, options: Options) => {
      const printer = createPrinter(cli.streams, options);
      await using gatehouse = await cli.open();
      // Before anybody thinks of a password for nobody; and the policy looks at the address.
      const found = unwrap(await gatehouse.findUser(cli.operator, email));
      const password = await newPassword(cli, found.email, options);
      const set = unwrap(await gatehouse.setPassword(cli.operator, { email, password }));
      await printer.note(
        `The password of ${set.user.email} is set. Sign-ins that ended with the old one: ${set.signedOut}.`,
      );
      await printer.document(userView.document(set.user));
    });
}
