import { ROLES, type Role } from '@gatehouse/domain/users';
import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { changeOptions } from '../../input/options.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { userView } from '../../views/user-view.ts';

interface Options extends OutputOptions {
  readonly role: Role;
}

const RIGHTS: Readonly<Record<Role, string>> = {
  admin: "now an admin: the user's tokens have an admin's rights, as far as their scopes allow",
  member: "now a member: the user's API tokens have a member's rights",
};

export function userSetRole(user: Command, cli: Cli): void {
  const command = user
    .command('set-role')
    .description("Set the role of a user and of the user's tokens; an account keeps one active admin")
    .argument('<email>', "The user's email address")
    .addOption(new Option('--role <role>', 'The new role').choices(ROLES).makeOptionMandatory());
  changeOptions(command);
  describe(command, { examples: ['gatehouse user set-role bo@acme.example --role admin'] });
  command.action(async (email: string, { role, ...output }: Options) => {
    const printer = createPrinter(cli.streams, output);
    await using gatehouse = await cli.open();
    const changed = unwrap(await gatehouse.setRole(cli.operator, { email, role }));
    await printer.note(
      changed.already
        ? `${changed.user.email} already has the role ${role}; nothing changed.`
        : `${changed.user.email} is ${RIGHTS[role]}.`,
    );
    await printer.document(userView.document(changed.user));
  });
}
