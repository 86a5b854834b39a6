import { type Mutation, mutation } from '../mutation.ts';

const PAGES = 'packages/pages/src';
const MADE_ONCE = `${PAGES}/forms/made-once.ts`;
const GIVEN_PASSWORD = `${PAGES}/session/given-password.ts`;
const STREAM = `${PAGES}/tokens/first-use.ts`;
const SLOTS = `${PAGES}/http/slots.ts`;
const ADMINISTRATION = 'packages/domain/src/tokens/administration';
const RULES = 'packages/domain/src/access/rules.ts';
const INSERT = 'packages/postgres/src/tokens/insert-token.ts';
const INSERTION = 'packages/postgres/src/tokens/token-insertion.ts';
const LISTS = 'packages/domain/src/tokens/lists/list-account-tokens.ts';
const SECTIONS = 'packages/postgres/src/tokens/lists/sections.ts';

const RANDOM_ID = {
  file: MADE_ONCE,
  find: '`token ${userId} ${formId}`',
  replace: '`token ${userId} ${formId} ${Math.random()}`',
};

const ID_IN_USE = {
  file: INSERT,
  find: "        when exists (select from tokens where id = ${token.id}) then 'token_id_taken'\n",
};

/** Pages that make, show and end tokens: requirements 66 to 70. */
export const TOKEN_PAGE_MUTATIONS: readonly Mutation[] = [
  mutation([66], 'Each post of a form makes a token with an id of its own.', RANDOM_ID),
  mutation([66], 'Each post of a form makes a token with an id and a name of its own.', [
    RANDOM_ID,
    {
      file: `${PAGES}/tokens/new-token.ts`,
      find: 'const name = typed.name.trim();',
      replace: 'const name = `${typed.name.trim()} ${Math.random()}`;',
    },
  ]),
  mutation([66], 'A form names the id of the token that it makes.', {
    file: MADE_ONCE,
    find: '  const digest =',
    replace: '  if (userId) return formId;\n  const digest =',
  }),
  mutation([66], 'The database compares names before ids.', ID_IN_USE),
  mutation([66], 'The database does not say that an id is in use, and inserts nothing.', [
    ID_IN_USE,
    {
      file: INSERTION,
      find: "case when not exists (select from inserted) then 'token_id_taken' end",
      replace: 'null::text',
    },
  ]),
  mutation([67, 109], 'A password that was given once is not asked for again.', {
    file: GIVEN_PASSWORD,
    find: 'if (isPasswordFresh(session, now)) return ok(request);',
    replace: 'if (session.id) return ok(request);',
  }),
  mutation([67], 'Any password will do.', {
    file: GIVEN_PASSWORD,
    find: 'if (confirmed.ok) {',
    replace: 'if (confirmed) {',
  }),
  mutation([67], 'The password is asked for each time.', {
    file: 'packages/domain/src/sessions/session.ts',
    find: 'return now - passwordGivenAt <= PASSWORD_TRUST_MS;',
    replace: 'return now < passwordGivenAt;',
  }),
  mutation([67], 'Revoking needs a password, too.', {
    file: `${PAGES}/tokens/revoke-token.ts`,
    find: '        const revoked =',
    replace:
      '        if (request.now - request.session.passwordGivenAt > 600_000) return show(request, reason);\n        const revoked =',
  }),
  mutation([68], 'A process serves any number of streams.', {
    file: SLOTS,
    find: 'streams >= total || ',
  }),
  mutation([68], 'One user may have all streams of a process.', {
    file: SLOTS,
    find: ' || (held.get(id) ?? 0) >= each',
  }),
  mutation([68], 'The end of a client’s side frees no place.', {
    file: SLOTS,
    find: "socket.on('end', free).on('close', free);",
    replace: "socket.on('close', free);",
  }),
  mutation([68], 'A stream that ended keeps its place while its connection is open.', {
    file: SLOTS,
    find: "      response.on('close', free);\n",
  }),
  mutation([68], 'A refused stream takes a place while its connection is open.', [
    {
      file: STREAM,
      find: "if (slots.isFull(userId)) return errorAnswer(visit, 'overloaded');",
      replace:
        "const isFull = slots.isFull(userId);\n    if (isFull) slots.hold(userId, visit.request.response);\n    if (isFull) return errorAnswer(visit, 'overloaded');",
    },
    { file: SLOTS, find: "      response.on('close', free);\n" },
  ]),
  mutation([68], 'A stream whose client is gone goes on.', {
    file: STREAM,
    find: 'if (isDraining() || isGone(response)) return;',
    replace: 'if (isDraining()) return;',
  }),
  mutation([68], 'A stream goes on while the server drains.', {
    file: STREAM,
    find: 'if (isDraining() || isGone(response)) return;',
    replace: 'if (isGone(response)) return;',
  }),
  mutation([68], 'A stream goes on after its session.', {
    file: STREAM,
    find: "if (typeof permitted === 'string') break;\n        look = permitted.look;",
    replace: "if (typeof permitted !== 'string') look = permitted.look;",
  }),
  mutation([68], 'A stream extends its session.', {
    file: STREAM,
    find: '{ extend: false }',
    replace: '{ extend: true }',
  }),
  mutation([68], 'A stream has no time limit.', {
    file: STREAM,
    find: 'const MAX_STEPS = 2400;',
    replace: 'const MAX_STEPS = 2_400_000;',
  }),
  mutation([68], 'The use of any token is shown.', {
    file: 'packages/domain/src/tokens/usage/watch-tokens.ts',
    find: 'return found.ok ?',
    replace: 'return found ?',
  }),
  mutation([69], 'A list holds the tokens of all accounts.', {
    file: SECTIONS,
    find: "sql`tokens.account_id = ${accountId} and tokens.kind = 'api'`",
    replace: "sql`tokens.kind = 'api'`",
  }),
  mutation([69], 'An admin lists the tokens of the account made next.', [
    {
      file: LISTS,
      find: '        accountId: caller.accountId,\n        search:',
      replace: '        accountId: (caller.accountId + 1) as typeof caller.accountId,\n        search:',
    },
    {
      file: LISTS,
      find: '        accountId: caller.accountId,\n        expiringBefore:',
      replace:
        '        accountId: (caller.accountId + 1) as typeof caller.accountId,\n        expiringBefore:',
    },
  ]),
  mutation([70], 'Members make, see, rotate and end tokens.', [
    { file: RULES, find: "'tokens:issue', { users: 'admins' }", replace: "'tokens:issue', { users: 'all' }" },
    {
      file: RULES,
      find: "'tokens:revoke', { users: 'admins' }",
      replace: "'tokens:revoke', { users: 'all' }",
    },
    {
      file: RULES,
      find: "'tokens:rotate', { users: 'admins' }",
      replace: "'tokens:rotate', { users: 'all' }",
    },
    {
      file: RULES,
      find: "'tokens:read', { users: 'admins', operator",
      replace: "'tokens:read', { users: 'all', operator",
    },
  ]),
  mutation([70], 'The user who rotates is not checked again when the successor is stored.', {
    file: 'packages/postgres/src/tokens/rotate-token.ts',
    find: "      if (!(await shareRotator(tx, successor, by))) return err({ code: 'not_allowed' });\n",
  }),
  mutation([70], 'The session is not read again after the password was verified.', {
    file: GIVEN_PASSWORD,
    find: 'await request.reopen()',
    replace: 'request',
  }),
  mutation([108], 'Of several tokens, those of another account are left out, or revoked as well.', [
    {
      file: 'packages/postgres/src/tokens/revoke-tokens.ts',
      find: "      if (rows.length < ids.length) return err({ code: 'token_not_found' });\n",
      replace: '',
    },
    {
      file: 'packages/domain/testing/in-memory/revoke-tokens.ts',
      find: 'found.length < ids.length || found.some((token) => token.accountId !== accountId)',
      replace: 'found.length < 0 || accountId < 0',
    },
    {
      file: `${ADMINISTRATION}/revoke-tokens.ts`,
      find: 'found.length < selected.value.length || !found.every(isOwn)',
      replace: 'found.length < 0 && found.every(isOwn)',
    },
  ]),
  mutation([108], 'The events of several revocations do not say why.', {
    file: `${ADMINISTRATION}/revoke-tokens.ts`,
    find: 'eventBy(caller, tokenRevoked(token, revocation))',
    replace: 'eventBy(caller, tokenRevoked(token, { ...revocation, reason: null }))',
  }),
  mutation([108], 'Members see and revoke several tokens.', [
    {
      file: `${ADMINISTRATION}/revoke-tokens.ts`,
      find: 'export const revokeTokens = authorized(\n  REVOKE_TOKENS,',
      replace: "export const revokeTokens = authorized(\n  { ...REVOKE_TOKENS, users: 'all' } as never,",
    },
    {
      file: `${ADMINISTRATION}/revoke-tokens.ts`,
      find: 'export const showTokens = authorized(\n  READ_TOKENS,',
      replace: "export const showTokens = authorized(\n  { ...READ_TOKENS, users: 'all' } as never,",
    },
  ]),
  mutation([108], 'An admin who was demoted meanwhile revokes several tokens.', {
    file: 'packages/postgres/src/tokens/revoke-tokens.ts',
    find: 'if (!(await actorMayAct(tx, { actor: revocation.by, accountId })))',
    replace: 'if (!(await actorMayAct(tx, { actor: revocation.by, accountId })) && ids.length > 50)',
  }),
  mutation([70], 'Tokens of any account are found by their ids.', [
    {
      file: `${ADMINISTRATION}/find-token-by-reference.ts`,
      find: 'token && authorize(caller, rule, token).ok ?',
      replace: 'token && rule && caller ?',
    },
    {
      file: `${ADMINISTRATION}/show-token.ts`,
      find: 'if (!token || !authorize(caller, READ_TOKENS, token).ok)',
      replace: 'if (!token)',
    },
  ]),
];
