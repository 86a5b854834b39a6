import { type Mutation, mutation } from '../mutation.ts';

const SESSIONS = 'packages/domain/src/sessions';
const REPOSITORY = 'packages/postgres/src/sessions/session-repository.ts';
const USERS = 'packages/postgres/src/users/user-repository.ts';

/** Sessions of browsers: requirements 57 to 60. */
export const SESSION_MUTATIONS: readonly Mutation[] = [
  mutation([57], 'The secret of a session has 64 random bits.', {
    file: 'packages/installation/src/system-ports.ts',
    find: "randomBytes(32).toString('base64url')",
    replace: "Buffer.concat([randomBytes(8), Buffer.alloc(24)]).toString('base64url')",
  }),
  mutation([57], 'The secret itself is stored.', {
    file: 'packages/installation/src/system-ports.ts',
    find: "createHash('sha256').update(secret).digest('hex')",
    replace:
      "createHash('sha256').update(secret).digest('hex') && Buffer.from(secret, 'base64url').toString('hex')",
  }),
  mutation([57], 'The audit log has the secrets of sessions.', {
    file: `${SESSIONS}/store-session.ts`,
    find: 'created: { ...sessionCreated(session, user), ...by }',
    replace: 'created: { ...sessionCreated(session, user), ...by, details: { secret } }',
  }),
  mutation([57], 'Lists contain parts of the hashes of secrets.', {
    file: 'packages/postgres/src/sessions/session-records.ts',
    find: 'userAgent: row.user_agent,',
    replace: 'userAgent: row.user_agent, ...{ secretHash: row.id },',
  }),
  mutation([58], 'A session never ends by being idle.', {
    file: `${SESSIONS}/find-session.ts`,
    find: "  if (record.lastSeenAt <= seenAfter) return 'idle';\n",
  }),
  mutation([58], 'A session in use never ends.', {
    file: `${SESSIONS}/find-session.ts`,
    find: "  if (record.createdAt <= createdAfter) return 'too_old';\n",
  }),
  mutation([58], 'The user and the account of a session are not checked.', {
    file: `${SESSIONS}/find-session.ts`,
    find: "  if (!isActive(record)) return 'user_not_active';\n",
  }),
  mutation([58], 'A member in a session acts as an admin.', {
    file: `${SESSIONS}/find-session.ts`,
    find: 'const { id: userId, accountId, role } = user;',
    replace: "const { id: userId, accountId } = user; const role = 'admin';",
  }),
  mutation([58], 'Reads that do not count as use extend a session.', {
    file: `${SESSIONS}/find-session.ts`,
    find: 'if (!extend || toEnd) return',
    replace: 'if (toEnd) return',
  }),
  mutation([58], 'The sessions of a disabled user stay.', {
    file: 'packages/postgres/src/users/disable-user.ts',
    find: '      await endSessionsOf(tx, id);\n',
    replace: '',
  }),
  mutation([58], 'A session that is opened while a password is set outlives it.', {
    file: REPOSITORY,
    find: "if (haveChanged(owner, guard)) return err({ code: 'password_changed' });\n        await insertSession",
    replace: 'await insertSession',
  }),
  mutation([58], 'A replaced secret still opens the session.', {
    file: `${SESSIONS}/find-session.ts`,
    find: "if (reason === 'replaced' && !toEnd)",
    replace: "if (reason === 'replaced' && !toEnd && !record)",
  }),
  mutation([58], 'A change of role leaves the secrets of sessions.', {
    file: 'packages/postgres/src/users/change-role.ts',
    find: '  await makeRenewalDue(tx, user.id);\n',
  }),
  mutation([59], 'Passwords in sessions are verified without the limits.', {
    file: 'packages/domain/src/sign-in/verify-credentials.ts',
    find: '  const admitted = await throttle.admit(attempt);\n  if (!admitted.ok) return admitted;\n',
    replace: '  await throttle.admit(attempt);\n',
  }),
  mutation([59], 'The password of another user is accepted.', {
    file: `${SESSIONS}/with-own-password.ts`,
    find: 'credentials.user.id !== userId',
    replace: '!credentials',
  }),
  mutation([59], 'A changed password leaves other sessions.', {
    file: USERS,
    find: '        await endSessionsOf(tx, id, kept);\n',
  }),
  mutation([59], 'A user overwrites the password that an operator sets meanwhile.', {
    file: USERS,
    find: "        if (user && haveChanged(user, verified)) return err({ code: 'password_changed' });\n",
  }),
  mutation([60], 'A user ends the session of another user.', {
    file: REPOSITORY,
    find: ".where('id', '=', own.id)\n          .where('user_id', '=', own.userId)\n          .returning('id')\n          .executeTakeFirst();\n        if (ended)",
    replace:
      ".where('id', '=', own.id)\n          .returning('id')\n          .executeTakeFirst();\n        if (ended)",
  }),
  mutation([60], 'The number of a user’s sessions is not limited.', {
    file: 'packages/postgres/src/sessions/insert-session.ts',
    find: '.offset(keep - 1)',
    replace: '.offset(1000)',
  }),
  mutation([60], 'The operator has sessions.', {
    file: 'packages/domain/src/access/rules.ts',
    find: "defineRule('sessions:own', { users: 'all' })",
    replace: "defineRule('sessions:own', { users: 'all', operator: true })",
  }),
  mutation([60], 'Old sessions are never deleted.', {
    file: 'packages/postgres/src/database/statements/sweep.ts',
    find: 'select ${key} from ${from} where created_at <',
    replace: 'select ${key} from ${from} where false and created_at <',
  }),
  mutation([60], 'A user’s sessions are found by reading all sessions.', {
    file: 'packages/postgres/src/migrations/0005-sessions.ts',
    find: '    create index sessions_user_id on sessions (user_id, created_at);\n',
  }),
];
