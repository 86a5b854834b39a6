import { type Mutation, mutation } from '../mutation.ts';

const CACHED_SIGNER = 'packages/cache/src/cached-signer.ts';
const VIEW_OF_USER = 'packages/postgres/src/organizations/organization-records.ts';
const ACCOUNT_AUDIT = 'packages/domain/src/audit/list-account-audit-events.ts';
const AUTHORIZE = 'packages/domain/src/access/authorize.ts';

/** The identity and the rights of a token: requirements 17 to 23, and 55. */
export const GRANTS: readonly Mutation[] = [
  mutation([17], 'Verified signatures are cached by the first 100 characters of their tokens.', [
    { file: CACHED_SIGNER, find: 'verified.set(token,', replace: 'verified.set(token.slice(0, 100),' },
    { file: CACHED_SIGNER, find: 'verified.get(token)', replace: 'verified.get(token.slice(0, 100))' },
    { file: CACHED_SIGNER, find: 'verified.peek(token)', replace: 'verified.peek(token.slice(0, 100))' },
  ]),
  mutation([18], 'Tokens with an invalid signature are cached.', {
    file: CACHED_SIGNER,
    find: 'if (!claims) return undefined;',
    replace:
      'if (!claims) { const kept = globalThis as { garbage?: Set<string> }; (kept.garbage ??= new Set()).add(token); return undefined; }',
  }),
  mutation([18], 'Each unknown key id reads the keys again.', [
    {
      file: 'packages/domain/src/signing-keys/key-ring.ts',
      find: '!loading && (age < 0 || age >= KEY_RING_RELOAD_MS)',
      replace: '!loading',
    },
    { file: 'packages/cache/src/cached-signing-keys.ts', find: '      held = found;\n' },
  ]),
  mutation([19], 'Caches do not receive changes.', [
    {
      file: 'packages/cache/src/cached-token-records.ts',
      find: 'options.feed.subscribe((change) => store.drop(change));',
    },
    {
      file: 'packages/cache/src/cached-organizations.ts',
      find: 'options.feed.subscribe((change) => store.drop(change));',
    },
  ]),
  mutation([20], 'An organization of another account is found, and refused with 403.', [
    {
      file: VIEW_OF_USER,
      find: '.where(sql<boolean>`(account_id, id) <= (asked."accountId", asked.id)`)',
      replace: '.where(sql<boolean>`id = asked.id`)',
    },
    {
      file: VIEW_OF_USER,
      find: "join.onRef('organization.account_id', '=', 'asked.accountId').onRef(",
      replace: 'join.onRef(',
    },
    {
      file: 'packages/domain/testing/in-memory/organization-repository.ts',
      find: 'if (organization?.accountId !== accountId) return undefined;',
      replace: 'if (organization === undefined) return undefined;',
    },
    {
      file: AUTHORIZE,
      find: "if (resource.accountId !== caller.accountId) return { code: 'not_found' };",
      replace: "if (resource.accountId !== caller.accountId) return { code: 'not_allowed' };",
    },
  ]),
  mutation([20], 'The database finds an organization by its id, and then compares the account.', {
    file: VIEW_OF_USER,
    find: '.where(sql<boolean>`(account_id, id) <= (asked."accountId", asked.id)`)',
    replace: '.where(sql<boolean>`id = asked.id`)',
  }),
  mutation([20], 'A cached organization is refused to users of another account without a read.', {
    file: 'packages/cache/src/cached-organizations.ts',
    find: 'const isMember = memberships.get(viewKey(id, userId));',
    replace:
      'const other = organizations.peek(id);\n      if (other && other.accountId !== accountId) return viewOf(other, false);\n      const isMember = memberships.get(viewKey(id, userId));',
  }),
  mutation([21], 'Responses have an undocumented member.', {
    file: 'apps/server/src/routes/organization.ts',
    find: 'return { id, name, description };',
    replace: 'return { id, name, description, account_id: 1 };',
  }),
  mutation([22], 'A token may perform actions that have no scope.', [
    { file: AUTHORIZE, find: "if (!rule.scope) return { code: 'not_allowed' };" },
    {
      file: AUTHORIZE,
      find: "rule.scope !== 'asked' && !scopesAllow(",
      replace: "rule.scope && rule.scope !== 'asked' && !scopesAllow(",
    },
  ]),
  mutation([22], 'Signing in accepts a token instead of a password.', {
    file: 'packages/http/src/serve.ts',
    find: '    return andThen(parse(request), (input) => {\n',
    replace:
      '    const { authorization } = request.headers;\n    if (route.body && authorization) return succeed(request, authorization.slice(7));\n    return andThen(parse(request), (input) => {\n',
  }),
  mutation([23], 'An absolute target is not reduced to its path.', {
    file: 'packages/http/src/request-target.ts',
    find: "target.replace(ABSOLUTE_FORM, '')",
    replace: 'target',
  }),
  mutation([55, 70], 'An admin reads the audit events of all accounts.', {
    file: ACCOUNT_AUDIT,
    find: '        accountId,\n        actions:',
    replace: '        actions:',
  }),
  mutation([55], 'An actor or a subject may be a user of any account.', {
    file: ACCOUNT_AUDIT,
    find: 'user?.accountId === accountId ?',
    replace: 'user ?',
  }),
  mutation([55], 'An account sees the names and machines of operators.', {
    file: 'packages/domain/src/audit/list-audit-events.ts',
    find: "if (caller.kind === 'operator' || event.actor.kind !== 'operator') return entry;",
    replace: "if (event.actor.kind !== 'token') return entry;",
  }),
  mutation([55], 'The actions of an operator for an admin are recorded as actions of the admin.', {
    file: 'packages/domain/src/access/caller.ts',
    find: 'name === undefined ?',
    replace: 'true ?',
  }),
];
