import {
  type DomainError,
  type DomainErrorCode,
  ERROR_KINDS,
  type ErrorKind,
  type Result,
} from '@gatehouse/domain';
import { MAX_NAMED } from '@gatehouse/domain/audit';
import { MAIL_PROBLEMS } from '@gatehouse/domain/mail';
import { formatDuration, formatInstant } from '@gatehouse/domain/time';
import type { TokenNotRotatable, TokenNotUpdatable } from '@gatehouse/domain/tokens';
import type { Refusal } from '@gatehouse/extension-kit';
import { counted } from '../views/count.ts';
import { whyNot } from '../views/inspection-view.ts';
import { CommandError } from './command-error.ts';
import type { Exit } from './exit-status.ts';

/** Returns the name of the command's input that sets a field of the domain. */
export type InputNames = (field: string) => string;

type Message<E> = string | ((error: E, inputOf: InputNames) => string | readonly string[]);

type Messages = {
  readonly [Code in DomainErrorCode]: Message<Extract<DomainError, { code: Code }>>;
};

/** The exit status of a refused command, by the kind of error. */
const EXIT_OF = {
  notFound: 'notFound',
  notAllowed: 'notAllowed',
  conflict: 'conflict',
  invalid: 'usage',
  unavailable: 'fault',
} as const satisfies Record<ErrorKind, Exit>;

/** The message of every expected refusal. */
export const REFUSALS: Messages = {
  account_not_found: 'There is no such account. `gatehouse account list` lists all accounts.',
  identity_not_found: 'The user has no such identity at a provider.',
  password_missing:
    'The user has no password, so there would be no way left to sign in. `gatehouse user reset-link EMAIL` makes a link with which the user sets one.',
  provider_not_found: 'The settings have no identity provider with this name.',
  provider_sign_in_refused: 'The sign-in with the identity provider was refused.',
  extension_undecided: ({ extension }) =>
    `The extension ${extension}, which must allow this, did not answer, so nothing was changed. Run the command again.`,
  forbidden_by_extension: ({ extension, title }) =>
    `The extension ${extension} does not allow this: ${title}`,
  extension_schema_not_found: 'The database has no tables of an extension with this name.',
  key_not_found: 'There is no such key. `gatehouse key list` lists all keys.',
  not_found: 'Not found.',
  organization_not_found: 'There is no such organization. `gatehouse org list` lists all organizations.',
  delivery_not_found:
    'The reaction has no such parked or failing event. `gatehouse reaction show NAME` lists them.',
  reaction_not_found: 'There is no such reaction. `gatehouse reaction list` lists all reactions.',
  service_account_not_found:
    'There is no such service account. `gatehouse service-account list` lists all service accounts.',
  service_name_taken:
    'A service has this name, or had it before it was deleted, or the API has it. A name of a service is never used again, so that old tokens gain no rights: choose another name.',
  service_not_found: 'There is no such service. `gatehouse service list` lists all services.',
  service_scope_not_found:
    'The service has no such scope. `gatehouse service show SERVICE` lists its scopes.',
  service_scope_taken:
    'The service has this scope, or had it before it was removed. A name of a scope is never used again, so that old tokens gain no rights: choose another name.',
  session_not_found: 'There is no such session.',
  token_not_recognized: ({ step }) => `This is not a token of this service: ${whyNot(step)}.`,
  token_not_found: 'There is no such token. `gatehouse token list` lists all tokens.',
  older_edition_serves: ({ programs }) => [
    'Programs of an older version are connected to the database. They would not obey the restriction, so nothing was set. Replace them first. If DATABASE_URL sets an application_name, remove it: it hides the version of a program.',
    ...programs.map(
      ({ application, connections }) => `  ${application} (${counted(connections, 'connection')})`,
    ),
  ],
  too_many_named: ({ of }) => `More than ${MAX_NAMED} ${of} have this in their names. Give more of the name.`,
  user_not_found: 'There is no such user. `gatehouse user list` lists all users.',
  credential_ended:
    'The credential was revoked or has expired, so it cannot be rotated. Create a new one with `gatehouse service credential create`.',
  credential_not_found:
    'The service has no such credential. `gatehouse service credential list SERVICE` lists its credentials.',
  credential_replaced: ({ successorId }) =>
    `The credential was rotated already. Its successor is ${successorId}: rotate that one, or create a new one with \`gatehouse service credential create\`.`,
  credentials_not_accepted: 'Wrong email or password.',
  insufficient_scope: ({ scope }) => `The token lacks the scope ${scope}.`,
  creator_not_fit: 'Only an active admin of an account that is not suspended can create tokens.',
  not_allowed: 'Only an active admin of an account that is not suspended may do this.',
  password_not_fresh: 'The password was entered too long ago.',
  second_factor_demanded:
    'The account demands a second factor from this user. `gatehouse account policy set ID --second-factor optional` changes that.',
  second_factor_enrolled: 'The user already has a second factor.',
  second_factor_not_enrolled: 'This user has no second factor, so nothing was changed.',
  second_factor_paused: ({ retryAfterSeconds }) =>
    `Too many wrong codes. Try again in ${retryAfterSeconds} s.`,
  second_factor_required: 'A code of the second factor is needed.',
  second_factor_wrong: 'The code is wrong or was used before.',
  sign_in_expired: 'The sign-in waited too long for the code.',
  session_not_accepted: 'The session is not accepted.',
  token_not_accepted: 'The token is not accepted.',
  too_many_attempts: ({ retryAfterSeconds }) => `Too many attempts. Try again in ${retryAfterSeconds} s.`,
  ambiguous_token_name: ({ candidates, more }) => [
    'Several tokens have this name. Use one of these ids:',
    ...candidates.map(({ id, creator, state }) => `  ${id}  ${state}, owned by ${creator}`),
    ...(more ? ['There are more: `gatehouse token list` lists all tokens.'] : []),
  ],
  audit_anchor_unknown:
    'The export does not end with a seal of this audit log. The export belongs to another log, or this log was restored from an older backup. Keep the export, and start a new one in another file.',
  audit_log_damaged: ({ first, last }) =>
    `The events at positions ${first} to ${last} of the audit log do not match their seal, so no further events were deleted. \`gatehouse audit verify\` lists the differences.`,
  audit_not_sealed:
    'The audit log has no seals yet, so it cannot be verified. A running server seals new events, and so does `gatehouse audit export`.',
  audit_position_unknown: ({ last }) =>
    `The audit log ends at position ${last}, but the export to be continued ends later. The export belongs to another log, or this log was restored from an older backup. Keep the export, and start a new one.`,
  audit_reactions_behind: ({ reaction, position, last }) =>
    `The reaction ${reaction} has not seen the events after position ${position} yet, so the events up to ${last} stay. If no server runs it any more, delete it with \`gatehouse reaction remove ${reaction}\`. Otherwise try again later.`,
  backup_not_sealed:
    'The backup is older than the first seal of the audit log, so this command cannot check whether the export is genuine. Nothing was done. End every token instead, as docs/operate/restore.md says under "Without an export, end every token".',
  email_taken: 'Another user has this email address.',
  enrolment_not_valid: 'The enrolment of the second factor is not valid any more.',
  expiry_not_earlier: ({ expiresAt }) =>
    `The new date must be earlier than the current one, ${formatInstant(expiresAt)}. To extend access, rotate the token or create a new one.`,
  export_end_changed:
    'The last lines of the file were changed after they were exported, so nothing was added to the file. `gatehouse audit verify` lists the differences. Keep the file, and start a new export in another file.',
  export_incomplete: ({ line, last, pruned }) =>
    `${
      pruned
        ? `The events up to position ${last} were pruned before line ${line} of the export was written, and the backup does not have them`
        : `Neither the backup nor the export has the events before line ${line}, up to position ${last}`
    }. The changes in these events are unknown, so nothing was done. Use an export that has these events, or add --partial to repeat only the known changes.`,
  export_lacks_anchor: ({ anchor, ends }) =>
    `The export ends at position ${ends} and does not have the seal in the --anchor file, at position ${anchor}. The export was cut off, or belongs to another log. Nothing was done.`,
  export_not_genuine: ({ line }) =>
    `The lines of the export from the previous seal to line ${line} do not match a seal of this installation. Lines were changed, added or removed, or they come from another installation, or from an older version that exported pruned events without proof. Nothing was done. Use a genuine export, or add --partial to skip these lines.`,
  export_unsealed: ({ line }) =>
    `No seal follows line ${line} of the export: the file was cut off, or the command that wrote it was interrupted. Nothing was done. Use a complete export, or add --partial to skip the lines without a seal.`,
  invitation_not_found:
    'There is no such open invitation. `gatehouse invitation list` lists all open invitations.',
  invitation_of_operator: 'An operator made this invitation, so only an operator can replace or revoke it.',
  lifetime_not_allowed: ({ maxLifetimeMs }) =>
    maxLifetimeMs === null
      ? 'The rules of the account do not allow tokens that never expire: give an expiry.'
      : `The rules of the account allow a lifetime of at most ${formatDuration(maxLifetimeMs)}: give an earlier expiry.`,
  link_for_admin:
    'This user is an admin, or was one, so only an operator can make the link: run the command without --as.',
  link_not_accepted: 'The link is not valid, or no longer valid.',
  key_in_use: ({ liveTokens, retirableAt }) =>
    `The key was not retired, because it has ${counted(liveTokens, 'live token')}. ${
      retirableAt === null
        ? 'Rotate or revoke the tokens that never expire (`gatehouse token list --never-expiring --key ID`)'
        : `Wait until the tokens have expired, at ${formatInstant(retirableAt)}`
    }, or revoke all tokens of the key with --revoke-tokens.`,
  key_not_usable:
    'The signing key was retired in the meantime, so no token was created. Run the command again.',
  key_state_conflict: ({ state, needed }) =>
    needed === 'staged'
      ? `The key is ${state}; only a staged key, which has never been active, can be activated.`
      : `The key is ${state}; only a verify-only key, which another key has replaced, can be retired${
          state === 'active' ? ': activate another key first' : ''
        }.`,
  key_too_young: ({ activatableAt }) =>
    `Some servers may not know the key yet, so it was not activated. It can be activated from ${formatInstant(activatableAt)}.`,
  keys_changed: 'The signing keys changed in the meantime, so nothing was done. Run the command again.',
  last_admin:
    'This user is the last active admin of the account, so nothing was changed. First make another user an admin.',
  member_of_another_account:
    'The user belongs to another account. Only users of the same account can be members of an organization.',
  network_not_allowed: 'The token may not be used from this network.',
  networks_not_settable: ({ reason }) =>
    reason === 'sign_in'
      ? 'Only API tokens can have networks; this is a sign-in token.'
      : `This token has ${reason === 'revoked' ? 'been revoked' : 'expired'}, so there is nothing to restrict.`,
  networks_required:
    'The rules of the account demand that a token has networks, and that they are enforced: give them with --network, without --report-only.',
  no_active_key: ({ format }) =>
    `No ${format} key is active, so ${format} tokens cannot be signed. Activate a key with \`gatehouse key activate ID\`; \`gatehouse key list\` lists the keys.`,
  scopes_not_allowed: ({ refused, allowed }) =>
    `The rules of the account do not allow ${refused.join(', ')}. They allow ${allowed.length > 0 ? allowed.join(', ') : 'no scope, because the account and the operator allow different ones'}.`,
  token_changed: 'The token was changed in the meantime, so nothing was done. Run the command again.',
  token_id_taken: 'The id of the new token is in use, so no token was created. Run the command again.',
  token_name_taken:
    'The owner already has an active API token of this name: choose another name, or revoke that token.',
  token_not_rotatable: notRotatable,
  token_not_updatable: notUpdatable,
  responsible_not_fit:
    'This is not an active admin of the account. A person who is an active admin must answer for a service account.',
  service_accounts_undecided: ({ undecided }) =>
    `The user answers for service accounts, so say what happens to ${listed(undecided.map(({ name }) => name))}: --service-accounts-to EMAIL makes another admin responsible, --disable-service-accounts disables them, and --leave-service-accounts leaves them without a responsible admin.`,
  transfer_names_taken: ({ names }) =>
    `Nothing was changed: the new owner already has API tokens named ${listed(names)}. Revoke one token of each name first. Or run the command at a terminal without --transfer-tokens: it then renames the transferred tokens.`,
  transfer_raises_rights:
    'An admin cannot transfer the tokens of a member to an owner with the role admin, because they would get the rights of an admin. Nothing was changed.',
  transfer_target_not_fit:
    'Tokens can be transferred only to another active admin or an active service account of the same account. Nothing was changed.',
  invalid_input: ({ problems }, inputOf) =>
    problems.map(({ field, message }) => `${inputOf(field)} ${message}`),
  changes_unknown: 'The server cannot prove now that it receives all changes. Try again.',
  too_many_webhooks:
    'The account, or the installation, has 10 webhooks, which is the limit. Delete one with `gatehouse webhook delete ID`.',
  webhook_not_found: 'There is no such webhook. `gatehouse webhook list` lists all webhooks.',
  webhook_test_too_soon: ({ retryAfterSeconds }) =>
    `A test of this webhook is running, or there were 6 within a minute. Try again in ${retryAfterSeconds} s.`,
  no_signing_key: 'There is no signing key yet. Start a server, or run `gatehouse key create`, first.',
  too_many_invitations:
    'The account has 100 open invitations, which is the limit. Revoke some with `gatehouse invitation revoke ID`, or wait until they expire.',
  user_disabled: 'This user is disabled. Enable the user first: `gatehouse user enable EMAIL`.',
  too_many_streams: 'The service has too many streams of changes. Try again later.',
  mail_not_set_up: 'No mail server is set up: set SMTP_URL and MAIL_FROM.',
  mail_not_sent: ({ problem }) => `The message was not sent: ${MAIL_PROBLEMS[problem]}.`,
  hashing_busy: 'Too many passwords are being hashed, so nothing was done. Run the command again.',
  master_key_rejected:
    'The given key is not the master key under which the signing keys are encrypted: check GATEHOUSE_MASTER_KEY, GATEHOUSE_MASTER_KEY_FILE, or master.key in the data folder.',
};

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
        : `This token is already being replaced by ${error.successorId}. Rotate that token instead. If it was never used, you can also revoke it and then rotate this token.`;
    case 'replaces_another':
      return `This token replaces ${error.predecessorId} and has not been used yet. Use this token before you rotate it, or revoke it and rotate ${error.predecessorId}.`;
  }
}

function notUpdatable(error: TokenNotUpdatable): string {
  switch (error.reason) {
    case 'sign_in':
      return 'Only API tokens can be changed; this is a sign-in token, which `gatehouse token revoke` ends.';
    case 'revoked':
    case 'expired':
      return `This token has ${error.reason === 'revoked' ? 'been revoked' : 'expired'}, so there is nothing to change.`;
    case 'being_replaced':
      return error.successorId === null
        ? 'This token has already been replaced and is about to expire, so it cannot be renamed.'
        : `This token is being replaced by ${error.successorId}, which has the same name. Rename that token instead, once it has been used.`;
    case 'replaces_another':
      return `This token replaces ${error.predecessorId}, which has the same name and still works. Rename this token after it has been used.`;
  }
}

/** Lists at most 20 names. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => `"${name}"`);
  return shown.join(', ') + (names.length > shown.length ? `, and ${names.length - shown.length} more` : '');
}

/** Returns the name of a field in words, such as `the new name`. For a field that no option or argument sets. */
export function inWords(field: string): string {
  return `the ${field.replaceAll('_', ' ')}`;
}

/**
 * Ends a command with an expected error. The code that defined the command turns the error into a message (`refusal`).
 */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly error: { readonly code: string };

  constructor(error: { readonly code: string }) {
    super(error.code);
    this.error = error;
  }
}

/** Returns the value of a successful result. Throws `Refused` with the error of any other result. */
export function unwrap<T>(result: Result<T, { readonly code: string }>): T {
  if (result.ok) return result.value;
  throw new Refused(result.error);
}

/**
 * Returns the error that ends a command for a refusal: the message, and the exit status.
 *
 * @param own the refusals that the extension of the command defines, by their codes
 */
export function refusal(
  error: DomainError | { readonly code: string },
  inputOf: InputNames = inWords,
  own: Readonly<Record<string, Refusal>> = {},
): CommandError {
  const described = Object.hasOwn(own, error.code) ? own[error.code] : undefined;
  if (described) return new CommandError(described.exit, described.title);
  // A code that is not in `own` is a code of the domain, and `REFUSALS` has a message for each of these. The compiler
  // does not know that the function under a code takes the error with the same code.
  const { code } = error as DomainError;
  const message = REFUSALS[code] as Message<DomainError>;
  return new CommandError(
    EXIT_OF[ERROR_KINDS[code]],
    typeof message === 'string' ? message : message(error as DomainError, inputOf),
  );
}
