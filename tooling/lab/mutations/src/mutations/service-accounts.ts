import { type Mutation, mutation } from '../mutation.ts';

const DOMAIN = 'packages/domain/src/users';
const POSTGRES = 'packages/postgres/src/users';
const ACCOUNTS = `${POSTGRES}/service-accounts`;

/** Service accounts, and tokens that get another owner: requirements 141 to 146. */
export const SERVICE_ACCOUNT_MUTATIONS: readonly Mutation[] = [
  mutation([141], 'A password can be set for a service account.', {
    file: `${POSTGRES}/user-repository.ts`,
    find: "if (user?.kind !== 'person') return err({ code: 'user_not_found' });",
    replace: "if (!user) return err({ code: 'user_not_found' });",
  }),
  mutation([141], 'The database does not tie the password to the kind of user.', {
    file: 'packages/postgres/src/migrations/0031-service-accounts.ts',
    find: "when 'service' then password_hash is null else false end",
    replace: 'else true end',
  }),
  mutation([141], 'A person can have the address of a service account.', {
    file: `${DOMAIN}/email.ts`,
    find: '.endsWith(`@${SERVICE_DOMAIN}`)',
    replace: '.endsWith(`@x${SERVICE_DOMAIN}`)',
  }),
  mutation([141], 'A service account has credentials, without a hash.', {
    file: `${POSTGRES}/user-repository.ts`,
    find: 'if (row === undefined || passwordHash === null) return undefined;',
    replace: 'if (row === undefined) return undefined;',
  }),
  mutation([142], 'A service account counts as an admin of the account.', {
    file: `${POSTGRES}/active-admins.ts`,
    find: "users.where('kind', '=', 'person').where('role'",
    replace: "users.where('role'",
  }),
  mutation([142], 'A service account answers for another one.', {
    file: `${DOMAIN}/service-accounts/service-account.ts`,
    find: "user.kind === 'person' &&",
    replace: '',
  }),
  mutation([142], 'A service account is created while an older program is connected.', {
    file: `${DOMAIN}/service-accounts/manage-service-accounts.ts`,
    find: 'if (!known.ok) return known;\n      const inserting',
    replace: 'const inserting',
  }),
  mutation([143], 'An admin sees the service accounts of another account.', {
    file: `${DOMAIN}/service-accounts/manage-service-accounts.ts`,
    find: 'return found && mayKnow(caller, found.user) ?',
    replace: 'return found && mayKnow(caller, caller as never) ?',
  }),
  mutation([143], 'An admin creates a service account in another account.', {
    file: `${DOMAIN}/service-accounts/manage-service-accounts.ts`,
    find: "if (!mayKnow(caller, { accountId })) return err({ code: 'account_not_found' });",
    replace: '',
  }),
  mutation([143], 'An admin who was demoted meanwhile makes a token for a service account.', {
    file: 'packages/postgres/src/tokens/token-repository.ts',
    find: 'maker !== token.userId && !(await actorMayAct(tx, event))',
    replace: 'maker !== token.userId && !event',
  }),
  mutation([144], 'A token is given to a user who was disabled meanwhile.', {
    file: 'packages/postgres/src/tokens/give-token.ts',
    find: 'const refusal = transferRefusal(from, users?.get(to), event);',
    replace:
      'const refusal = transferRefusal(from, { ...users?.get(to), disabledAt: null } as never, event);',
  }),
  mutation([144], 'An admin gives the token of a member to an owner with more rights.', {
    file: `${DOMAIN}/token-transfer.ts`,
    find: "return from.role !== 'admin' && to.role === 'admin' && actingUser(event) !== undefined;",
    replace: 'return from.role === to.role && actingUser(event) === null;',
  }),
  mutation([145], 'A person is disabled without a decision about the service accounts.', {
    file: `${ACCOUNTS}/fates.ts`,
    find: 'if (undecided.length > 0) {',
    replace: 'if (undecided.length < 0) {',
  }),
  mutation([145], 'A service account is given to an admin who is being disabled.', {
    file: `${ACCOUNTS}/service-account-repository.ts`,
    find: 'if (!responsible || (isNew && !canAnswer(responsible, before.user)))',
    replace: 'if (!responsible)',
  }),
  mutation([145], 'Any user answers for the service accounts of a person who is disabled.', {
    file: `${ACCOUNTS}/fates.ts`,
    find: 'if (fate.giveTo === from.id || !canAnswer(',
    replace: 'if (fate.giveTo === from.id && !canAnswer(',
  }),
  mutation([145], 'The page of a service account does not say that no admin answers.', {
    file: 'packages/pages/src/service-accounts/service-account.ts',
    find: 'isDisabled || isAnswered(account) ? null : unanswered(account)',
    replace: 'isDisabled || isAnswered(account) ? null : unanswered && null',
  }),
  mutation([145], 'Service accounts without a responsible admin are not found.', {
    file: 'packages/domain/src/health/check-service-accounts.ts',
    find: 'found.length === 0',
    replace: 'found.length >= 0',
  }),
  mutation([146], 'A restored service account is known by its id only.', {
    file: 'packages/domain/src/audit/reapply/make-change-again.ts',
    find: "if (user.kind === 'service' && formatInstant(user.createdAt) !== createdAt) return 'unknown';",
    replace: 'void [formatInstant, createdAt];',
  }),
];
