import { ok } from '@gatehouse/domain';
import type { TokenStatus } from '@gatehouse/domain/tokens';
import { parseEmail, ROLES, type Role } from '@gatehouse/domain/users';
import type { CommandCaller } from '@gatehouse/extension-kit/cli';
import type { Gatehouse } from '../cli.ts';
import { defineChange, defineList } from '../described/kinds.ts';
import { unwrap } from '../errors/refusals.ts';
import { ACCOUNT_ID } from '../input/parsers.ts';
import { newPassword, PASSWORD_STDIN } from '../input/password.ts';
import { counted } from '../views/count.ts';
import { userView } from '../views/user-view.ts';
import { ofAccount, USER } from './shared-options.ts';
import { userArm } from './user-arm.ts';
import { userDisable } from './user-disable.ts';
import { userMarkBreakGlass, userProveEmail, userUnlink } from './user-identities.ts';
import { userInvite } from './user-invite.ts';
import { userResetLink } from './user-reset-link.ts';
import { userResetSecondFactor } from './user-reset-second-factor.ts';
import { userShow } from './user-show.ts';

const userCreate = defineChange({
  verb: 'create',
  summary: 'Create a user and print its id; asks for the password',
  options: {
    account: { ...ACCOUNT_ID, description: "The account's id", required: true },
    email: { value: 'email', description: 'The address with which the user signs in', required: true },
    name: { value: 'name', description: "The user's name", required: true },
    role: { value: 'role', description: "The user's role", choices: ROLES, required: true },
    passwordStdin: PASSWORD_STDIN,
  },
  examples: [
    'gatehouse user create --account 1 --email ada@acme.example --name Ada --role admin',
    'gatehouse user create --account 1 --email bo@acme.example --name Bo --role member --password-stdin < secret.txt',
  ],
  read: async ({ email, passwordStdin }, cli) => ({
    password: await newPassword(cli, unwrap(parseEmail(email)), passwordStdin),
  }),
  run: ({ createUser }, caller, { account: accountId, email, name, role, password }) =>
    createUser(caller, { accountId, email, name, role, password }),
  note: ({ email, role }) => `Created user ${email} (${role}). Its id:`,
  bare: ({ id }) => String(id),
  document: userView.document,
});

const userList = defineList({
  verb: 'list',
  summary: 'List the users of one account, or of all',
  options: {
    account: ofAccount('users'),
    search: {
      value: 'text',
      description: 'List users whose email, or any word of whose name, begins with this text',
    },
  },
  examples: ['gatehouse user list --account 1', 'gatehouse user list --search lovelace'],
  view: userView,
  run: ({ listUsers }, caller, { account: accountId, search }) => listUsers(caller, { accountId, search }),
});

const userEnable = defineChange({
  verb: 'enable',
  summary: 'Let a disabled user sign in again; revoked tokens stay revoked',
  arguments: { email: USER },
  examples: ['gatehouse user enable bo@acme.example'],
  run: ({ enableUser }, caller, { email }) => enableUser(caller, { email }),
  note: ({ user: { email }, already }) =>
    already
      ? `${email} is not disabled; nothing changed.`
      : `Enabled ${email}. Tokens that were revoked when the user was disabled stay revoked.`,
  document: ({ user }) => userView.document(user),
});

/** The largest number of tokens that the command counts. */
const MAX_COUNTED = 1000;

/**
 * Describes the user, and the tokens whose rights the new role changes. Undefined if the user already has that role.
 */
async function roleFacts(
  { findLiveTokens }: Gatehouse,
  caller: CommandCaller,
  { email, role }: { readonly email: string; readonly role: Role },
) {
  const { user, tokens } = unwrap(await findLiveTokens(caller, { email, limit: MAX_COUNTED + 1 }));
  if (user.role === role) return ok(undefined);
  const effect = tokens.length === 0 ? 'The user has no live tokens.' : EFFECTS[role](countsOf(tokens));
  return ok([`${user.email} (${user.name}), ${user.role} of account ${user.accountId}. ${effect}`]);
}

function countsOf(tokens: readonly TokenStatus[]): string {
  if (tokens.length > MAX_COUNTED) return counted(tokens.length, 'live token', { max: MAX_COUNTED });
  const api = tokens.filter(({ kind }) => kind === 'api').length;
  const counts = [
    ...(api === 0 ? [] : [counted(api, 'live API token')]),
    ...(api === tokens.length ? [] : [counted(tokens.length - api, 'live sign-in token')]),
  ];
  return counts.join(' and ');
}

const EFFECTS: Readonly<Record<Role, (tokens: string) => string>> = {
  admin: (tokens) =>
    `After the change, ${tokens} of the user may do what an admin may, as far as their scopes allow.`,
  member: (tokens) =>
    `After the change, ${tokens} of the user may do only what a member may: requests that need an admin are refused.`,
};

const RIGHTS: Readonly<Record<Role, string>> = {
  admin: "now an admin: the user's tokens have an admin's rights, as far as their scopes allow",
  member: "now a member: the user's API tokens have a member's rights",
};

const userSetRole = defineChange({
  verb: 'set-role',
  summary: "Set the role of a user and of the user's tokens; an account keeps one active admin",
  arguments: { email: USER },
  options: { role: { value: 'role', description: 'The new role', choices: ROLES, required: true } },
  notes: [
    "Asks for confirmation, because the rights of the user's tokens also change: the tokens of a new member lose rights, and the tokens of a new admin gain rights.",
  ],
  examples: ['gatehouse user set-role bo@acme.example --role admin'],
  asks: {
    action: 'set the role',
    question: 'Set this role?',
    declined: 'The role was not changed.',
    facts: roleFacts,
  },
  run: ({ setRole }, caller, { email, role }) => setRole(caller, { email, role }),
  note: ({ user: { email }, already }, { role }) =>
    already ? `${email} already has the role ${role}; nothing changed.` : `${email} is ${RIGHTS[role]}.`,
  document: ({ user }) => userView.document(user),
});

const userSetPassword = defineChange({
  verb: 'set-password',
  summary: "Set a user's password, which signs the user out everywhere; asks for the password",
  arguments: { email: USER },
  options: { passwordStdin: PASSWORD_STDIN },
  examples: [
    'gatehouse user set-password bo@acme.example',
    'gatehouse user set-password bo@acme.example --password-stdin < secret.txt',
  ],
  async run({ findUser, setPassword }, caller, { email, passwordStdin }, { cli }) {
    // The user is read first: an unknown address is refused before the command asks for the password, and the password
    // policy compares the password with the address.
    const user = unwrap(await findUser(caller, email));
    const password = await newPassword(cli, user.email, passwordStdin);
    return setPassword(caller, { email, password });
  },
  note: ({ user: { email }, signedOut }) =>
    `Set the password of ${email}, and revoked ${counted(signedOut, 'sign-in token')}.`,
  document: ({ user }) => userView.document(user),
});

export const commands = [
  userCreate,
  userList,
  userShow,
  userDisable,
  userEnable,
  userSetRole,
  userSetPassword,
  userInvite,
  userResetLink,
  userUnlink,
  userProveEmail,
  userMarkBreakGlass,
  userArm,
  userResetSecondFactor,
];
