import { type Mutation, mutation } from '../mutation.ts';

const DOMAIN = 'packages/domain/src/second-factor';
const POSTGRES = 'packages/postgres/src/second-factor';
const REPOSITORY = `${POSTGRES}/second-factor-repository.ts`;
const PROVE = `${POSTGRES}/prove.ts`;
const SECRETS = 'packages/installation/src/second-factor-secrets.ts';
const ENROL = `${DOMAIN}/enrol-second-factor.ts`;

/** Second factors for passwords: requirements 176 to 189. */
export const SECOND_FACTOR_MUTATIONS: readonly Mutation[] = [
  mutation([176], 'The right password opens a session.', {
    file: 'packages/domain/src/sessions/open-session.ts',
    find: 'if (enrolledAt !== null) {',
    replace: 'if (enrolledAt !== null && input.password === "") {',
  }),
  mutation([176], 'The password waits for the code without end.', {
    file: `${DOMAIN}/complete-sign-in.ts`,
    find: 'addMilliseconds(clock.now(), -PENDING_SIGN_IN_MS)',
    replace: 'addMilliseconds(clock.now(), -1000 * PENDING_SIGN_IN_MS)',
  }),
  mutation([176], 'A waiting sign-in is found at any age.', {
    file: `${POSTGRES}/pending-sign-ins.ts`,
    find: 'pending.created_at > ${formatInstant(createdAfter)}',
    replace: 'pending.created_at is not null',
  }),
  mutation([177], 'The code of the minute before is accepted.', {
    file: `${DOMAIN}/totp.ts`,
    find: 'TOLERATED_STEPS = 1',
    replace: 'TOLERATED_STEPS = 2',
  }),
  mutation([177], 'A code is accepted again.', {
    file: PROVE,
    find: 'each > lastStep',
    replace: 'each >= lastStep',
  }),
  mutation([177, 179], 'Codes on several servers do not wait for each other.', {
    file: PROVE,
    find: '.forUpdate()',
  }),
  mutation([178], 'A code is computed from other bits.', {
    file: SECRETS,
    find: '(mac.at(-1) ?? 0) & 0xf',
    replace: '(mac.at(-1) ?? 0) & 0x7',
  }),
  mutation([178], 'A secret has a byte that is not random.', {
    file: SECRETS,
    find: 'Uint8Array.from(randomBytes(TOTP_SECRET_BYTES))',
    replace: 'Uint8Array.from(randomBytes(TOTP_SECRET_BYTES)).fill(0, 19)',
  }),
  mutation([178], 'Recovery codes have half of the characters.', {
    file: SECRETS,
    find: 'RECOVERY_ALPHABET[byte % 32]',
    replace: 'RECOVERY_ALPHABET[byte % 16]',
  }),
  mutation([179], 'Wrong codes do not pause the second factor.', {
    file: `${DOMAIN}/second-factor.ts`,
    find: 'recent.at(-MAX_WRONG_CODES)',
    replace: 'recent.at(-MAX_WRONG_CODES - 1)',
  }),
  mutation([179], 'Wrong codes count after a right one.', {
    file: PROVE,
    find: "set({ wrong: '[]' })",
    replace: 'set({ wrong: JSON.stringify(factor.wrong) })',
  }),
  mutation([179], 'A pause is not recorded.', {
    file: PROVE,
    find: 'if (pausedUntil(wrong, at) !== undefined) await insertAuditEvents(tx, [audit()]);',
  }),
  mutation([180], 'A recovery code stays after its use.', {
    file: PROVE,
    find: ".deleteFrom('recovery_codes')",
    replace: ".updateTable('recovery_codes').set({ user_id: userId })",
  }),
  mutation([180], 'New recovery codes leave the old ones.', {
    file: REPOSITORY,
    find: "await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();",
  }),
  mutation([181], 'Pages accept the password without a code.', {
    file: 'packages/domain/src/sessions/with-own-password.ts',
    find: "if (code === '') return err<SecondFactorRequired>({ code: 'second_factor_required' });",
    replace: "if (code === '') return ok(undefined);",
  }),
  mutation([181], 'A password from before the enrolment still counts in other sessions.', {
    file: REPOSITORY,
    find: 'await takeBackPasswords(tx, userId, sessionId);',
  }),
  mutation([181], 'New recovery codes need no password.', {
    file: `${DOMAIN}/own-second-factor.ts`,
    find: "if (!isPasswordFresh(session, at)) return err({ code: 'password_not_fresh' });",
  }),
  mutation([182], 'The API asks for no second factor.', {
    file: 'packages/domain/src/sign-in/sign-in.ts',
    find: 'if (needsSecondFactor(verified.value.secondFactor, verified.value.user))',
    replace: 'if (needsSecondFactor(verified.value.secondFactor, verified.value.user) && isRetry)',
  }),
  mutation([182], 'A demand of the account does not hold for the API.', {
    file: `${DOMAIN}/second-factor.ts`,
    find: 'return state.enrolledAt !== null || demandsSecondFactor(state, role);',
    replace: "return state.enrolledAt !== null || (role === 'member' && demandsSecondFactor(state, role));",
  }),
  mutation([182], 'A sign-in token is stored for a user who enrolled meanwhile.', {
    file: 'packages/postgres/src/tokens/insert-sign-in.ts',
    find: ' or ${isPasswordNotEnough}',
  }),
  mutation([183], 'A second factor is set up with an old password.', {
    file: ENROL,
    find: 'if (!isPasswordFresh(session, clock.now())) return err(PASSWORD_NOT_FRESH);',
  }),
  mutation([183], 'The secret of an enrolment is for every session of the user.', {
    file: ENROL,
    find: '`second-factor-enrolment:${user.id}:${session.id}`',
    replace: '`second-factor-enrolment:${user.id}:${typeof session.id}`',
  }),
  mutation([183], 'The code that confirmed the secret can be used again.', {
    file: ENROL,
    find: 'lastStep: step',
    replace: 'lastStep: 0 * step',
  }),
  mutation([184], 'A session does not depend on the second factor that was verified.', {
    file: 'packages/postgres/src/sessions/session-changes.ts',
    find: ' || stored.secondFactorAt !== secondFactorAt',
    replace: ' || (stored.secondFactorAt === 0 && secondFactorAt === 1)',
  }),
  mutation([184], 'A sign-in goes on with an old password.', {
    file: `${POSTGRES}/pending-sign-ins.ts`,
    find: ".whereRef('users.password_hash', '=', 'pending.verified_hash')",
  }),
  mutation([184], 'An enrolment does not look for another one.', {
    file: REPOSITORY,
    find: "if (user && user.secondFactorAt !== null) return err({ code: 'second_factor_enrolled' });",
  }),
  mutation([185], 'A new master key leaves the secrets of second factors.', {
    file: 'packages/domain/src/signing-keys/rewrap-keys.ts',
    find: 'await resealSecondFactors({ secondFactors }, replacement)',
    replace: '{ rewrapped: 0, unchanged: 0, unreadable: 0, secondFactors }',
  }),
  mutation([185], 'A secret is stored under a master key that was replaced.', {
    file: REPOSITORY,
    find: "if (!(await holdsWitness(tx, witness))) return err({ code: 'keys_changed' });",
  }),
  mutation([185], 'A server goes back to an older master key.', {
    file: 'packages/key-encryption/src/following-key-encryption.ts',
    find: 'if (!succeeded.has(key)) current = encryption;',
    replace: 'current = encryption;',
  }),
  mutation([185], 'A secret that cannot be decrypted is not reported.', {
    file: 'packages/domain/src/health/check-second-factors.ts',
    find: 'if (!opened.ok) unreadable.push(userId);',
  }),
  mutation([186], 'A reset needs no reason.', {
    file: `${DOMAIN}/reset-second-factor.ts`,
    find: "if (reason === '') return invalid('reason', 'is required');",
  }),
  mutation([186], 'An admin resets a second factor.', {
    file: `${DOMAIN}/reset-second-factor.ts`,
    find: 'authorized(\n  MANAGE_USERS,',
    replace: "authorized(\n  { ...MANAGE_USERS, users: 'admins' },",
  }),
  mutation([186], 'The user is not told of a reset.', {
    file: REPOSITORY,
    find: ".insertInto('second_factor_resets')\n          .values({ user_id: userId, ...row })",
    replace:
      ".insertInto('second_factor_resets')\n          .values({ user_id: userId, ...row, reason: '' })",
  }),
  mutation([186], 'A new password removes the second factor.', {
    file: 'packages/postgres/src/users/set-hash.ts',
    find: 'set({ password_hash: hash })',
    replace: 'set({ password_hash: hash, second_factor_at: null })',
  }),
  mutation([187], 'A demand of the account leads no admin to the enrolment.', {
    file: 'packages/domain/src/sessions/find-session.ts',
    find: 'demandsSecondFactor(secondFactor, role);',
    replace: "role === 'member';",
  }),
  mutation([187], 'A second factor that is demanded can be removed.', {
    file: REPOSITORY,
    find: "if (demandsSecondFactor({ policy }, user.role)) return err({ code: 'second_factor_demanded' });",
  }),
  mutation([188], 'An admin who was demoted changes the demand.', {
    file: REPOSITORY,
    find: "if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });",
  }),
  mutation([188], 'An admin changes the demand of another account.', {
    file: `${DOMAIN}/set-second-factor-policy.ts`,
    find: "if (!authorize(caller, SET_SECOND_FACTOR_POLICY, { accountId }).ok)\n        return err({ code: 'account_not_found' });",
  }),
  mutation([189], 'An enrolment begins while an older server runs.', {
    file: ENROL,
    find: 'const known = await refuseWhileOlder(ports);\n    if (!known.ok) return known;\n    if (await secondFactors.find',
    replace: 'if (await secondFactors.find',
  }),
];
