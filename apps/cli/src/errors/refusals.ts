import type { DomainError, DomainErrorCode, Result } from '@gatehouse/domain';
import { formatInstant } from '@gatehouse/domain/time';
import type { TokenNotRotatable } from '@gatehouse/domain/tokens';
import { counted } from '../views/count.ts';
import { whyNot } from '../views/inspection-view.ts';
import { CommandError } from './command-error.ts';
import type { Exit } from './exit-status.ts';

type Message<E> = string | ((error: E) => string | readonly string[]);

type Refusals = {
  readonly [Code in DomainErrorCode]: readonly [Exit, Message<Extract<DomainError, { code: Code }>>];
};

/** The exit status and message of every expected refusal. */
export const REFUSALS = {
  account_not_found: ['notFound', 'There is no such account. `gatehouse account list` lists all accounts.'],
  ambiguous_token_name: [
    'conflict',
    ({ candidates, more }) => [
      'Several tokens have this name. Use one of these ids:',
      ...candidates.map(({ id, creator, state }) => `  ${id}  ${state}, owned by ${creator}`),
      ...(more ? ['and more: `gatehouse token list` lists all.'] : []),
    ],
  ],
  credentials_not_accepted: ['notAllowed', 'Wrong email or password.'],
  email_taken: ['conflict', 'Another user has this email address.'],
  hashing_busy: ['fault', 'The hashing queue is full. Try again.'],
  insufficient_scope: ['notAllowed', ({ scope }) => `The token lacks the scope ${scope}.`],
  invalid_input: [
    'usage',
    ({ problems }) => problems.map(({ field, message }) => `${inputOf(field)} ${message}`),
  ],
  creator_not_fit: [
    'notAllowed',
    'Only an active admin of an account that is not suspended can create tokens.',
  ],
  key_in_use: [
    'conflict',
    ({ liveTokens, retirableAt }) =>
      `The key has ${counted(liveTokens, 'live token')}: ${
        retirableAt === null
          ? 'rotate or revoke those without an expiry (`gatehouse token list --never-expiring --key ID`)'
          : `it can be retired from ${formatInstant(retirableAt)}`
      }, or revoke all of them with --revoke-tokens.`,
  ],
  key_not_found: ['notFound', 'There is no such key. `gatehouse key list` lists all keys.'],
  key_not_usable: ['conflict', 'The signing key was just retired. Try again.'],
  key_state_conflict: [
    'conflict',
    ({ state, needed }) =>
      needed === 'staged'
        ? `The key is ${state}; only a staged key can be activated.`
        : `The key is ${state}; only a verify-only key can be retired${
            state === 'active' ? ': activate another key first' : ''
          }.`,
  ],
  key_too_young: [
    'conflict',
    ({ activatableAt }) =>
      `Not every server knows the key yet. It can be activated from ${formatInstant(activatableAt)}.`,
  ],
  keys_changed: [
    'conflict',
    'The signing keys changed in the meantime, so nothing was done. Run the command again.',
  ],
  last_admin: ['conflict', 'This is the last active admin of the account.'],
  master_key_rejected: [
    'fault',
    'This is not the master key under which the signing keys are encrypted: check GATEHOUSE_MASTER_KEY, GATEHOUSE_MASTER_KEY_FILE, or master.key in the data folder.',
  ],
  member_of_another_account: [
    'conflict',
    'The user belongs to another account. Only users of the same account can be members of an organization.',
  ],
  no_active_key: [
    'conflict',
    ({ format }) =>
      `No ${format} key is active. Activate one with \`gatehouse key activate ID\`; \`gatehouse key list\` lists them.`,
  ],
  not_allowed: ['notAllowed', 'Only an active admin of an account that is not suspended may do this.'],
  not_found: ['notFound', 'Not found.'],
  organization_not_found: [
    'notFound',
    'There is no such organization. `gatehouse org list` lists all organizations.',
  ],
  password_changed: ['conflict', 'The password was changed in the meantime. Try again.'],
  token_name_taken: [
    'conflict',
    'This admin already has an active API token of this name: choose another name, or revoke that token.',
  ],
  token_not_accepted: ['notAllowed', 'The token is not accepted.'],
  token_not_recognized: ['notFound', ({ step }) => `This is not a token of this service: ${whyNot(step)}.`],
  token_not_rotatable: ['conflict', notRotatable],
  token_not_found: ['notFound', 'There is no such token. `gatehouse token list` lists all tokens.'],
  too_many_attempts: [
    'notAllowed',
    ({ retryAfterSeconds }) => `Too many attempts. Try again in ${retryAfterSeconds} s.`,
  ],
  transfer_names_taken: [
    'conflict',
    ({ names }) =>
      `Nothing was changed: that admin already has API tokens named ${listed(names)}. Revoke one of each first, or run the command at a terminal without --transfer-tokens, which renames them.`,
  ],
  transfer_target_not_fit: [
    'conflict',
    'Tokens can be transferred only to another active admin of the same account. Nothing was changed.',
  ],
  user_not_found: ['notFound', 'There is no such user. `gatehouse user list` lists all users.'],
} as const satisfies Refusals;

function notRotatable(error: TokenNotRotatable): string {
  switch (error.reason) {
    case 'sign_in':
      return 'Only API tokens can be rotated; this is a sign-in token, and signing in again gives a new one.';
    case 'revoked':
    case 'expired':
      return `This token has ${error.reason === 'revoked' ? 'been revoked' : 'expired'}: create a new one with \`gatehouse token create\`.`;
    case 'being_replaced':
      return error.successorId === null
        ? 'This token has already been replaced and is about to expire. Create a new one with `gatehouse token create`.'
        : `This token is already being replaced by ${error.successorId}. Rotate that one, or, if it was never used, revoke it first.`;
    case 'replaces_another':
      return `This token replaces ${error.predecessorId} and has not been used yet. Use it first, or revoke it and rotate ${error.predecessorId}.`;
  }
}

/** Lists at most 20 names. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => `"${name}"`);
  return shown.join(', ') + (names.length > shown.length ? `, and ${names.length - shown.length} more` : '');
}

/** Returns the option that sets the field; the password has none. */
function inputOf(field: string): string {
  return field === 'password' ? 'the password' : `--${field.replaceAll('_', '-')}`;
}

/** Returns the value of a successful result, and throws the refusal otherwise. */
export function unwrap<T>(result: Result<T, DomainError>): T {
  if (result.ok) return result.value;
  throw refusal(result.error);
}

export function refusal(error: DomainError): CommandError {
  // Each function takes the error whose code it is stored under.
  const [exit, message] = REFUSALS[error.code] as readonly [Exit, Message<DomainError>];
  return new CommandError(exit, typeof message === 'string' ? message : message(error));
}
