import { ok } from '@gatehouse/domain';
import type { AccountId } from '@gatehouse/domain/accounts';
import type { TokenStatus } from '@gatehouse/domain/tokens';
import { parseEmail, ROLES, type Role } from '@gatehouse/domain/users';
import { ACCOUNT_ID, type CommandCaller, defineChange, defineList } from '@gatehouse/extension-kit/cli';
import { type Command, Option } from 'commander';
import type { Cli, Gatehouse } from '../cli.ts';
import { unwrap } from '../errors/refusals.ts';
import { accountOption, changeOptions } from '../input/options.ts';
import { newPassword, PASSWORD_STDIN, type PasswordOptions } from '../input/password.ts';
import { createPrinter } from '../output/printer.ts';
import { counted } from '../views/count.ts';
import { userView } from '../views/user-view.ts';
import { userDisable } from './user-disable.ts';

interface CreateOptions extends PasswordOptions {
  readonly account: AccountId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

function userCreate(user: Command, cli: Cli): void {
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

const userList = defineList({
  verb: 'list',
  summary: 'List the users of one account, or of all',
  options: {
    account: {
      value: 'id',
      description: 'List only the users of this account',
      parser: ACCOUNT_ID,
      column: 'ACCOUNT',
    },
  },
  examples: ['gatehouse user list --account 1'],
  view: userView,
  run: ({ listUsers }: Gatehouse, caller, { account: accountId }) => listUsers(caller, { accountId }),
});

const EMAIL = { description: "The user's email address" };

const userEnable = defineChange({
  verb: 'enable',
  summary: 'Let a disabled user sign in again; revoked tokens stay revoked',
  arguments: { email: EMAIL },
  examples: ['gatehouse user enable bo@acme.example'],
  run: ({ enableUser }: Gatehouse, caller, { email }) => enableUser(caller, email),
  note: ({ user: { email }, already }) =>
    already
      ? `${email} is not disabled; nothing changed.`
      : `Enabled ${email}. Tokens that were revoked when the user was disabled stay revoked.`,
  document: ({ user }) => userView.document(user),
});

/** More are not counted. */
const MAX_COUNTED = 1000;

/** Describes the user and the tokens that a change of role affects; undefined if the user has that role. */
async function roleFacts(
  { findLiveTokens }: Gatehouse,
  caller: CommandCaller,
  { email, role }: { readonly email: string; readonly role: Role },
) {
  const found = await findLiveTokens(caller, { email, limit: MAX_COUNTED + 1 });
  if (!found.ok) return found;
  const { user, tokens } = found.value;
  if (user.role === role) return ok(undefined);
  const effect = tokens.length === 0 ? 'The user has no live tokens.' : EFFECTS[role](countsOf(tokens));
  return ok([`${user.email} (${user.name}), ${user.role} of account ${user.accountId}. ${effect}`]);
}

function countsOf(tokens: readonly TokenStatus[]): string {
  if (tokens.length > MAX_COUNTED) return `more than ${MAX_COUNTED} live tokens`;
  const api = tokens.filter(({ kind }) => kind === 'api').length;
  const counts = [
    ...(api === 0 ? [] : [counted(api, 'live API token')]),
    ...(api === tokens.length ? [] : [counted(tokens.length - api, 'live sign-in token')]),
  ];
  return counts.join(' and ');
}

const EFFECTS: Readonly<Record<Role, (tokens: string) => string>> = {
  admin: (tokens) => `As an admin's, ${tokens} may at once do what an admin may, as far as the scopes allow.`,
  member: (tokens) =>
    `As a member's, ${tokens} may at once do only what a member may: requests that need an admin are refused.`,
};

const RIGHTS: Readonly<Record<Role, string>> = {
  admin: "now an admin: the user's tokens have an admin's rights, as far as their scopes allow",
  member: "now a member: the user's API tokens have a member's rights",
};

const userSetRole = defineChange({
  verb: 'set-role',
  summary: "Set the role of a user and of the user's tokens; an account keeps one active admin",
  arguments: { email: EMAIL },
  options: { role: { value: 'role', description: 'The new role', choices: ROLES, required: true } },
  notes: ["Both directions ask: the one takes rights from the user's tokens, the other gives them more."],
  examples: ['gatehouse user set-role bo@acme.example --role admin'],
  asks: {
    action: 'set the role',
    question: 'Set this role?',
    declined: 'The role was not changed.',
    facts: roleFacts,
  },
  run: ({ setRole }: Gatehouse, caller, { email, role }) => setRole(caller, { email, role }),
  note: ({ user: { email }, already }, { role }) =>
    already ? `${email} already has the role ${role}; nothing changed.` : `${email} is ${RIGHTS[role]}.`,
  document: ({ user }) => userView.document(user),
});

function userSetPassword(user: Command, cli: Cli): void {
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

export const USER_COMMANDS = [userCreate, userList, userDisable, userEnable, userSetRole, userSetPassword];
