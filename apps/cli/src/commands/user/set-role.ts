import { ROLES, type Role } from '@gatehouse/domain/users';
import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { userView } from '../../views/user-view.ts';

interface Options extends OutputOptions {
  readonly role: Role;
}

const RIGHTS: Readonly<Record<Role, string>> = {
  admin: "an admin: this user's tokens have an admin's rights from now on, as far as their scopes go",
  member: "a member: this user's API tokens have a member's rights from now on",
};

export function userSetRole(user: Command, cli: Cli): void {
  outputOptions(
    user
      .command('set-role')
      .description("change what a user and the user's tokens may do; an account keeps one active admin"),
  )
    .argument('<email>', "the user's email address")
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES).makeOptionMandatory())
    .addHelpText('after', examples('gatehouse user set-role bo@acme.example --role admin'))
    .action(async (email: string, { role, ...output }: Options) => {
      const printer = createPrinter(cli.streams, output);
      await using gatehouse = await cli.open();
      const changed = unwrap(await gatehouse.setRole(cli.operator, { email, role }));
      await printer.note(
        changed.already
          ? `${changed.user.email} has the role ${role} already; nothing changed.`
          : `${changed.user.email} is now ${RIGHTS[role]}.`,
      );
      await printer.document(userView.document(changed.user));
    });
}
