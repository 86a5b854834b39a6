import type { DomainError, DomainErrorCode, Result } from '@gatehouse/domain';
import { formatInstant } from '@gatehouse/domain/time';
import type { TokenNotRotatable } from '@gatehouse/domain/tokens';
import { whyNot } from '../views/inspection-view.ts';
import { CommandError } from './command-error.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';

type Says<E> = string | ((error: E) => string | readonly string[]);

type Refusals = {
  readonly [Code in DomainErrorCode]: readonly [ExitStatus, Says<Extract<DomainError, { code: Code }>>];
};

/** Every expected refusal, with its exit status and what a person is told. */
const REFUSALS = {
  account_not_found: [EXIT.notFound, 'There is no such account: `gatehouse account list` shows all.'],
  ambiguous_token_name: [
    EXIT.conflict,
    ({ candidates, more }) => [
      'Several tokens have this name; say which by its id:',
      ...candidates.map(({ id, creator, state }) => `  ${id}  ${state}, of ${creator}`),
      ...(more ? ['and more: `gatehouse token list` shows all.'] : []),
    ],
  ],
  credentials_not_accepted: [EXIT.notAllowed, 'The email or the password is not accepted.'],
  email_taken: [EXIT.conflict, 'Another user has this email address.'],
  hashing_busy: [EXIT.fault, 'Too many passwords are being hashed right now; try again.'],
  insufficient_scope: [EXIT.notAllowed, ({ scope }) => `The token lacks the scope ${scope}.`],
  invalid_input: [
    EXIT.usage,
    ({ problems }) => problems.map(({ field, message }) => `${inputOf(field)} ${message}`),
  ],
  creator_not_fit: [
    EXIT.notAllowed,
    'Whoever creates a token must be an active admin of an account that is not suspended.',
  ],
  key_in_use: [
    EXIT.conflict,
    ({ liveTokens, retirableAt }) =>
      `Tokens that this key signed are still good (${liveTokens}): ${
        retirableAt === null
          ? 'rotate or revoke those that never expire (`gatehouse token list --never-expiring --key ID`)'
          : `it can retire from ${formatInstant(retirableAt)} on`
      }, or end them all with --revoke-tokens.`,
  ],
  key_not_found: [EXIT.notFound, 'There is no such key: `gatehouse key list` shows all.'],
  key_not_usable: [EXIT.conflict, 'The signing key was just retired; try again.'],
  key_state_conflict: [
    EXIT.conflict,
    ({ state, needed }) =>
      needed === 'staged'
        ? `The key is ${state}; only a staged key can be activated.`
        : `The key is ${state}; only a verify-only key can be retired${
            state === 'active' ? ': activate another key first' : ''
          }.`,
  ],
  key_too_young: [
    EXIT.conflict,
    ({ activatableAt }) =>
      `Not every server knows the key yet; it can be activated from ${formatInstant(activatableAt)} on.`,
  ],
  keys_changed: [EXIT.conflict, 'The key ring was changed meanwhile, and nothing was done: run it again.'],
  last_admin: [EXIT.conflict, 'This is the last active admin of the account.'],
  master_key_rejected: [
    EXIT.fault,
    'The master key is not the one under which the signing keys are encrypted: check GATEHOUSE_MASTER_KEY, GATEHOUSE_MASTER_KEY_FILE, or master.key in the data folder.',
  ],
  member_of_another_account: [
    EXIT.conflict,
    'The user belongs to another account; only users of its own account can be members of an organization.',
  ],
  no_active_key: [
    EXIT.conflict,
    ({ format }) =>
      `No ${format} key is active: see \`gatehouse key list\`, then \`gatehouse key activate ID\`.`,
  ],
  not_allowed: [
    EXIT.notAllowed,
    'Not allowed: only an active admin of an account that is not suspended may do this.',
  ],
  not_found: [EXIT.notFound, 'There is no such thing.'],
  organization_not_found: [EXIT.notFound, 'There is no such organization: `gatehouse org list` shows all.'],
  password_changed: [EXIT.conflict, 'The password was changed meanwhile; try again.'],
  token_name_taken: [
    EXIT.conflict,
    'This admin has an API token of this name that is still good: choose another name, or revoke that one.',
  ],
  token_not_accepted: [EXIT.notAllowed, 'The token is not accepted.'],
  token_not_recognized: [EXIT.notFound, ({ step }) => `This is no token of this service: ${whyNot(step)}.`],
  token_not_rotatable: [EXIT.conflict, notRotatable],
  token_not_found: [EXIT.notFound, 'There is no such token: `gatehouse token list` shows all.'],
  too_many_attempts: [
    EXIT.notAllowed,
    ({ retryAfterSeconds }) => `Too many attempts; try again in ${retryAfterSeconds} s.`,
  ],
  transfer_names_taken: [
    EXIT.conflict,
    ({ names }) =>
      `The tokens cannot be transferred, and nothing was changed: that admin has API tokens of these names, too; revoke one of each first: ${listed(names)}.`,
  ],
  transfer_target_not_fit: [
    EXIT.conflict,
    'Tokens can be transferred only to another active admin of the same account. Nothing was changed.',
  ],
  user_not_found: [EXIT.notFound, 'There is no such user: `gatehouse user list` shows all.'],
} as const satisfies Refusals;

function notRotatable(error: TokenNotRotatable): string {
  switch (error.reason) {
    case 'sign_in':
      return 'This is a sign-in token: whoever has it signs in again for a new one. Only API tokens are rotated.';
    case 'revoked':
    case 'expired':
      return `This token has ${error.reason === 'revoked' ? 'been revoked' : 'expired'}: create a new one with \`gatehouse token create\`.`;
    case 'being_replaced':
      return error.successorId === null
        ? 'This token has been replaced already, and ends soon: create a new one with `gatehouse token create`.'
        : `This token is being replaced already, by ${error.successorId}: rotate that one, or, if it was never used, revoke it first.`;
    case 'replaces_another':
      return `This token was made to replace ${error.predecessorId} and has not been used yet: use it first, or revoke it and rotate that one.`;
  }
}

/** A screenful at most. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => `"${name}"`);
  return shown.join(', ') + (names.length > shown.length ? `, and ${names.length - shown.length} more` : '');
}

/** How the person gave it: by an option, but for the password, which no option takes. */
function inputOf(field: string): string {
  return field === 'password' ? 'the password' : `--${field.replaceAll('_', '-')}`;
}

/** The value of an outcome that was no refusal; a refusal ends the command. */
export function unwrap<T>(result: Result<T, DomainError>): T {
  if (result.ok) return result.value;
  throw refusal(result.error);
}

export function refusal(error: DomainError): CommandError {
  // Each function takes the error of its own code, which is the one it is found under.
  const [status, says] = REFUSALS[error.code] as readonly [ExitStatus, Says<DomainError>];
  return new CommandError(status, typeof says === 'string' ? says : says(error));
}
