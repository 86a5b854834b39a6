import { type Mutation, mutation } from '../mutation.ts';

const POLICY = 'packages/domain/src/token-policy';
const TOKENS = 'packages/postgres/src/tokens';

/** Rules of an account for its tokens: requirements 121 to 124 and 190 to 192. */
export const TOKEN_RULES_MUTATIONS: readonly Mutation[] = [
  mutation([121], 'A new token is stored against rules that are set meanwhile.', {
    file: `${TOKENS}/token-repository.ts`,
    find: 'if (broken) return broken;',
    replace: 'void broken;',
  }),
  mutation([121], 'Networks that the rules demand are removed.', {
    file: `${TOKENS}/networks/token-network-repository.ts`,
    find: 'if (lacking) return err(lacking);',
    replace: 'void lacking;',
  }),
  mutation([121], 'A sign-in token is stored against the longest lifetime.', {
    file: `${TOKENS}/insert-sign-in.ts`,
    find: "then 'lifetime_not_allowed'",
    replace: 'then null',
  }),
  mutation([121], 'A successor is stored against the longest lifetime.', {
    file: `${TOKENS}/rotate-token.ts`,
    find: 'if (tooLong) return err(tooLong);',
    replace: 'void tooLong;',
  }),
  mutation([121], 'A new expiry is stored against the longest lifetime.', {
    file: `${TOKENS}/update-token.ts`,
    find: 'if (tooLong) return err(tooLong);',
    replace: 'void tooLong;',
  }),
  mutation([121], 'The rules are read without a lock.', {
    file: 'packages/postgres/src/token-policy/lock-rules.ts',
    find: '.forShare()',
    replace: '',
  }),
  mutation([122], 'An account loosens the longest lifetime of the operator.', {
    file: `${POLICY}/token-policy.ts`,
    find: 'maxLifetimeMs: least(one.maxLifetimeMs, other.maxLifetimeMs),',
    replace: 'maxLifetimeMs: one.maxLifetimeMs ?? other.maxLifetimeMs,',
  }),
  mutation([122], 'The default lifetime of an account is longer than the floor allows.', {
    file: `${POLICY}/token-policy.ts`,
    find: 'defaultLifetimeMs: lifetimeWithin(limits, defaultLifetimeMs)',
    replace: 'defaultLifetimeMs',
  }),
  mutation([123], 'Every user sees the rules of the account, and changes the floor.', [
    {
      file: 'packages/domain/src/access/rules.ts',
      find: "defineRule('policies:read', { users: 'admins'",
      replace: "defineRule('policies:read', { users: 'all'",
    },
    {
      file: 'packages/domain/src/access/rules.ts',
      find: "defineRule('policies:set-floor', { users: 'none'",
      replace: "defineRule('policies:set-floor', { users: 'all'",
    },
  ]),
  mutation([123], 'An admin who was demoted meanwhile still sets rules.', {
    file: 'packages/postgres/src/token-policy/token-policies.ts',
    find: "if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });",
    replace: 'void actorMayAct;',
  }),
  mutation([123], 'An event has the new values only.', {
    file: `${POLICY}/policy-events.ts`,
    find: 'former[name] ?? null',
    replace: 'value',
  }),
  mutation([124], 'Tokens that are too long are not listed as breaking the rules.', {
    file: 'packages/postgres/src/token-policy/over-policy.ts',
    find: '${EXPIRY} > ${latestExpiry(at)} or',
    replace: 'false or',
  }),
  mutation([124], 'A sign-in ends with the refusal of its lifetime.', {
    file: 'packages/domain/src/sign-in/sign-in.ts',
    find: "if (issued.ok || issued.error.code !== 'lifetime_not_allowed') return issued;",
    replace: 'if (issued.ok || issued.error.code) return issued;',
  }),
  mutation([124], 'A rotation keeps a lifetime that is no longer allowed.', {
    file: 'packages/domain/src/tokens/rotation/rotate-token.ts',
    find: 'const expiresAt = shortenedExpiry(rules, createdAt, sameLife);',
    replace: 'const expiresAt = rules ? sameLife : shortenedExpiry(rules, createdAt, sameLife);',
  }),
  mutation([124], 'Tokens are shortened without an event.', {
    file: 'packages/postgres/src/token-policy/long-tokens.ts',
    find: 'await insertAuditEvents(tx, events);',
    replace: 'void insertAuditEvents;',
  }),
  mutation([190], 'A token is accepted although its owner is not confirmed.', {
    file: 'packages/domain/src/tokens/refusal-reasons.ts',
    find: 'now >= user.confirmedUntil',
    replace: 'now < 0',
  }),
  mutation([190], 'Persons whom no provider knows have to be confirmed, too.', {
    file: 'packages/domain/src/tokens/refusal-reasons.ts',
    find: 'user.confirmedUntil !== null && now >= user.confirmedUntil',
    replace: 'now >= (user.confirmedUntil ?? 0)',
  }),
  mutation([190], 'A person who is not confirmed gets new tokens.', [
    {
      file: `${TOKENS}/refusal-conditions.ts`,
      find: '.confirmed_until <= ${now}`',
      replace: '.confirmed_until <= ${now} and false`',
    },
  ]),
  mutation([191], 'A changed rule holds from the next sign-in only.', {
    file: 'packages/postgres/src/token-policy/token-policies.ts',
    find: 'if (after.person.confirmWithinMs !== before.person.confirmWithinMs)',
    replace: 'if (accountId < 0)',
  }),
  mutation([192], 'A service is told the expiry of the token only.', {
    file: 'packages/domain/src/tokens/token.ts',
    find: 'if (confirmedUntil === null) return expiresAt;',
    replace: 'return expiresAt;',
  }),
];
