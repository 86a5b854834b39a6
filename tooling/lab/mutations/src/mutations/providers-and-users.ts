import { type Mutation, mutation } from '../mutation.ts';

const DOMAIN = 'packages/domain/src/identity-providers';
const BREAK_GLASS = 'packages/domain/src/break-glass';
const POSTGRES = 'packages/postgres/src/identity-providers';
const SETTLE = `${POSTGRES}/settle.ts`;

/** The changes that a provider causes, and passwords that are off: requirements 158 to 165. */
export const PROVIDER_USER_MUTATIONS: readonly Mutation[] = [
  mutation([158], 'A disabled user signs in with a provider.', {
    file: `${DOMAIN}/who-signs-in.ts`,
    find: "if (!isActive(known) || user.kind !== 'person')",
    replace: "if (user.kind !== 'person')",
  }),
  mutation([158, 159], 'The facts about a person are read without locks.', [
    {
      file: `${POSTGRES}/person-facts.ts`,
      find: ".orderBy('id').forNoKeyUpdate().execute()",
      replace: ".orderBy('id').execute()",
    },
    {
      file: `${POSTGRES}/person-facts.ts`,
      find: 'await lockUsers(tx, locked.length === 0 ? [0 as UserId] : locked);',
      replace: 'void lockUsers;',
    },
  ]),
  mutation([159], 'The highest of the matching roles is given.', {
    file: `${DOMAIN}/role-for.ts`,
    find: "if (given.includes('member')) return ok('member');\n  return given.includes('admin') ? ok('admin') :",
    replace:
      "if (given.includes('admin')) return ok('admin');\n  return given.includes('member') ? ok('member') :",
  }),
  mutation([159], 'Groups that were left out are no groups.', {
    file: `${DOMAIN}/role-for.ts`,
    find: "if (roleValues === 'too-many') return err('roles_left_out');\n",
  }),
  mutation([159], 'A provider demotes the last admin.', {
    file: SETTLE,
    find: 'if (role !== user.role && (await isLastAdmin(tx, user))) {',
    replace: 'if (role === null && (await isLastAdmin(tx, user))) {',
  }),
  mutation([160], 'A provider that gives no role leaves the confirmation.', {
    file: `${DOMAIN}/who-signs-in.ts`,
    find: '{ endsConfirmation: !isNewLink }',
    replace: '{ endsConfirmation: isNewLink }',
  }),
  mutation([160], 'Unlinking ends the rule about old confirmations.', {
    file: `${POSTGRES}/identity-repository.ts`,
    find: "await tx.deleteFrom('provider_conflicts').where('user_id', '=', userId).execute();",
    replace:
      "await tx.deleteFrom('provider_conflicts').where('user_id', '=', userId).execute();\n  await sql`update users set confirmed_until = null where id = ${userId}`.execute(tx);",
  }),
  mutation([160], 'A sign-in confirms for ever.', {
    file: 'packages/postgres/src/users/confirmations.ts',
    find: "holder = 'person') * interval '1 millisecond'",
    replace: "holder = 'person') * interval '1 day'",
  }),
  mutation([161], 'A log-out token that is sent again ends newer sessions.', {
    file: `${DOMAIN}/end-provider-sessions.ts`,
    find: 'addMilliseconds(issuedAt, SECOND_MS)',
    replace: 'addMilliseconds(issuedAt, 2 * SECOND_MS)',
  }),
  mutation([161], 'A log-out ends the sessions of all persons.', {
    file: 'packages/postgres/src/sessions/end-of-provider.ts',
    find: '${ofIssuer} and subject = ${subject}`',
    replace: '${ofIssuer} and subject <> ${issuer}`',
  }),
  mutation([161], 'A log-out ends sessions that another provider opened.', {
    file: 'packages/postgres/src/sessions/end-of-provider.ts',
    find: 'provider_session = ${providerSession} and provider = ${provider})`',
    replace: 'provider_session = ${providerSession} and provider <> ${issuer})`',
  }),
  mutation([161], 'A log-out of any issuer is accepted.', {
    file: `${DOMAIN}/end-provider-sessions.ts`,
    find: "if (issuer !== provider.issuer) return err(refusedSignIn('issuer_mismatch'));\n",
  }),
  mutation([162], 'Passwords are never off.', {
    file: 'packages/domain/src/sign-in/verify-credentials.ts',
    find: '!verified.value || !isOpen || ',
    replace: '!verified.value || ',
  }),
  mutation([162], 'The API accepts an open password.', {
    file: `${BREAK_GLASS}/may-use-password.ts`,
    find: 'return isOnPage && openUntil',
    replace: 'return openUntil',
  }),
  mutation([162], 'A password that was opened stays open.', {
    file: `${BREAK_GLASS}/may-use-password.ts`,
    find: 'openUntil !== null && at < openUntil',
    replace: 'openUntil !== null',
  }),
  mutation([162], 'A password that is off is refused before it is hashed.', {
    file: 'packages/domain/src/sign-in/verify-credentials.ts',
    find: '  const verified = await ports.passwords.verify(password, credentials?.passwordHash);',
    replace:
      "  if (credentials && !(await isPasswordOpen(ports, credentials.user, { isOnPage }))) return err({ code: 'credentials_not_accepted' });\n  const verified = await ports.passwords.verify(password, credentials?.passwordHash);",
  }),
  mutation([162], 'A sign-in that waits for its code goes on while passwords are off.', {
    file: 'packages/domain/src/second-factor/complete-sign-in.ts',
    find: ' && (await isPasswordOpen(ports, found.user, { isOnPage: true }))',
    replace: ' && isPasswordOpen !== undefined',
  }),
  mutation([163], 'An admin opens passwords.', {
    file: `${BREAK_GLASS}/open-passwords.ts`,
    find: "import { authorized, MANAGE_USERS } from '../access/index.ts';",
    replace: "import { authorized, CHANGE_USERS as MANAGE_USERS } from '../access/index.ts';",
  }),
  mutation([163], 'A password can be open for years.', {
    file: `${BREAK_GLASS}/open-passwords.ts`,
    find: 'forMs > 0 && forMs <= MAX_OPEN_MS',
    replace: 'forMs > 0 && forMs <= 1000 * MAX_OPEN_MS',
  }),
  mutation([163], 'The doctor does not report open passwords.', {
    file: 'packages/domain/src/health/check-sign-ins.ts',
    find: '.slice(0, NAMED)\n        .map(({ user',
    replace: '.slice(0, 0)\n        .map(({ user',
  }),
  mutation([163], 'An open password stays a concern.', {
    file: `${POSTGRES}/sign-in-concerns.ts`,
    find: ".where('password_open_until', '>', moment(at))",
    replace: ".where('password_open_until', '<>', moment(at - 1))",
  }),
  mutation([164], 'Another identity of a user is refused without a trace.', {
    file: `${DOMAIN}/who-signs-in.ts`,
    find: "refuse('user_has_other_identity', user)",
    replace: "refuse('user_has_other_identity')",
  }),
  mutation([164], 'Refusals are not stored in the audit log.', {
    file: SETTLE,
    find: 'if (about) await insertAuditEvents(tx, [audit.refused(reason, about)]);\n',
  }),
  mutation([164], 'Another identity of a user is not noted.', {
    file: SETTLE,
    find: "if (about && reason === 'user_has_other_identity')",
    replace: "if (about && reason === 'no_role')",
  }),
  mutation([165], 'Attempts are not limited.', {
    file: `${DOMAIN}/begin-provider-sign-in.ts`,
    find: '  if (!admitted.ok) return admitted;\n',
    replace: '',
  }),
  mutation([165], 'Sign-ins for which the provider could not be asked count.', {
    file: `${DOMAIN}/begin-provider-sign-in.ts`,
    find: 'await throttle.release(attempt);\n',
  }),
  mutation([165], 'A sign-in keeps its place in the queue while the provider is asked.', {
    file: `${DOMAIN}/begin-provider-sign-in.ts`,
    find: '  using _ = entered.value;\n',
  }),
  mutation([165], 'The password of a new user is hashed outside of the queue.', {
    file: `${DOMAIN}/complete-provider-sign-in.ts`,
    find: '  using _ = entered.value;\n',
  }),
  mutation([165], 'Images of other sites begin sign-ins.', {
    file: 'packages/pages/src/providers/sign-in-with.ts',
    find: "isFromOtherOrigin && destination !== 'document'",
    replace: "isFromOtherOrigin && destination === ''",
  }),
  mutation([156], 'A silent sign-in stands for a confirmation.', {
    file: `${DOMAIN}/complete-provider-sign-in.ts`,
    find: 'passwordGivenAt: authenticationTime(person, at),',
    replace: 'passwordGivenAt: at,',
  }),
  mutation([165], 'A released attempt still counts.', {
    file: 'packages/postgres/src/sign-in/sign-in-throttle.ts',
    find: 'with returned as (${returnedToAddress(network)})\n    delete',
    replace: "with returned as (select 1 where ${network} = '')\n    delete",
  }),
  mutation([165], 'Unlinking leaves the sessions.', {
    file: `${POSTGRES}/identity-repository.ts`,
    find: "await opened.where('issuer', '=', issuer).where('subject', '=', subject).execute();",
    replace: 'void opened;',
  }),
  mutation([165], 'A user unlinks the only way to sign in.', {
    file: `${POSTGRES}/identity-repository.ts`,
    find: 'if (!mayLackPassword && !(await readMeans(tx, userId))?.hasPassword)',
    replace: 'if (!mayLackPassword && !(await readMeans(tx, userId)))',
  }),
];
