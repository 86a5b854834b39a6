import type { AccountId } from '@gatehouse/domain/accounts';
import { parseEmail, ROLES, type Role } from '@gatehouse/domain/users';
import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { accountOption, changeOptions } from '../../input/options.ts';
import { newPassword, type PasswordOptions, passwordStdinOption } from '../../input/password.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { userView } from '../../views/user-view.ts';

interface Options extends OutputOptions, PasswordOptions {
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
    .addOption(passwordStdinOption());
  changeOptions(command);
  describe(command, {
    examples: [
      'gatehouse user create --account 1 --email ada@acme.example --name Ada --role admin',
      'gatehouse user create --account 1 --email bo@acme.example --name Bo --role member --password-stdin < secret.txt',
    ],
  });
  command.action(async ({ account: accountId, email, name, role, ...options }: Options) => {
    const printer = createPrinter(cli.streams, options);
    const password = await newPassword(cli, unwrap(parseEmail(email)), options);
    await using gatehouse = await cli.open();
    const input = { accountId, email, name, role, password };
    const created = unwrap(await gatehouse.createUser(cli.operator, input));
    await printer.note(`Created user ${created.email} (${created.role}). Its id:`);
    await printer.value(String(created.id), userView.document(created));
  });
}
