import type { AccountId } from '@gatehouse/domain/accounts';
import { parseEmail, ROLES, type Role } from '@gatehouse/domain/users';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { unwrap } from '../errors/refusals.ts';
import {
  accountOption,
  changeOptions,
  type Filters,
  filteredColumns,
  listOptions,
} from '../input/options.ts';
import { newPassword, PASSWORD_STDIN, type PasswordOptions } from '../input/password.ts';
import { createPrinter } from '../output/printer.ts';
import type { OutputOptions } from '../output/view.ts';
import { counted } from '../views/count.ts';
import { userView } from '../views/user-view.ts';

interface CreateOptions extends PasswordOptions {
  readonly account: AccountId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export function userCreate(user: Command, cli: Cli): void {
  const command = user
    .command('create')
    .description('Create a user and print its id; asks for the password')
    .addOption(accountOption("The account's id").makeOptionMandatory())
    .requiredOption('--email <email>', 'The address with which the user signs in')
    .requiredOption('--name <name>', "The user's name")
    .addOption(new Option('--role <role>', "The user's role").choices(ROLES).makeOptionMandatory())
    .option(...PASSWORD_STDIN);
  changeOptions(command, {
    examples: [
      'gatehouse user create --account 1 --email ada@acme.example --name Ada --role admin',
      'gatehouse user create --account 1 --email bo@acme.example --name Bo --role member --password-stdin < secret.txt',
    ],
  });
  command.action(async ({ account: accountId, email, name, role, ...options }: CreateOptions) => {
    const printer = createPrinter(cli.streams, options);
    const password = await newPassword(cli, unwrap(parseEmail(email)), options);
    await using gatehouse = await cli.open();
    const input = { accountId, email, name, role, password };
    const created = unwrap(await gatehouse.createUser(cli.operator, input));
    await printer.note(`Created user ${created.email} (${created.role}). Its id:`);
    await printer.value(String(created.id), userView.document(created));
  });
}

const FILTERS: Filters = { ACCOUNT: [accountOption('List only the users of this account')] };

export function userList(user: Command, cli: Cli): void {
  const command = user.command('list').description('List the users of one account, or of all');
  listOptions(command, userView, { filters: FILTERS, examples: ['gatehouse user list --account 1'] });
  command.action(async (options: Partial<CreateOptions>) => {
    await using gatehouse = await cli.open();
    const users = unwrap(await gatehouse.listUsers(cli.operator, { accountId: options.account }));
    const printer = createPrinter(cli.streams, options);
    await printer.list(users, userView, filteredColumns(FILTERS, options));
  });
}

export function userEnable(user: Command, cli: Cli): void {
  const command = user
    .command('enable')
    .description('Let a disabled user sign in again; revoked tokens stay revoked')
    .argument('<email>', "The user's email address");
  changeOptions(command, { examples: ['gatehouse user enable bo@acme.example'] });
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
  changeOptions(command, { examples: ['gatehouse user set-role bo@acme.example --role admin'] });
  command.action(async (email: string, { role, ...output }: OutputOptions & Pick<CreateOptions, 'role'>) => {
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

export function userSetPassword(user: Command, cli: Cli): void {
  const command = user
    .command('set-password')
    .description("Set a user's password, which signs the user out everywhere; asks for the password")
    .argument('<email>', "The user's email address")
    .option(...PASSWORD_STDIN);
  changeOptions(command, {
    examples: [
      'gatehouse user set-password bo@acme.example',
      'gatehouse user set-password bo@acme.example --password-stdin < secret.txt',
    ],
  });
  command.action(async (email: string, options: PasswordOptions) => {
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
