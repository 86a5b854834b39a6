import { type Mutation, mutation } from '../mutation.ts';

const CHECK = 'packages/domain/src/tokens/authentication/check-token.ts';
const PAGES = 'packages/pages/src';

/** The search of tokens, and the check of a pasted one: requirements 104 and 105. */
export const TOKEN_SEARCH_MUTATIONS: readonly Mutation[] = [
  mutation([104], 'A search is one in the account made next.', {
    file: 'packages/domain/src/tokens/lists/list-account-tokens.ts',
    find: '        accountId: caller.accountId,\n        search:',
    replace: '        accountId: (caller.accountId + 1) as typeof caller.accountId,\n        search:',
  }),
  mutation([104], 'Addresses are searched in the account made before.', {
    file: 'packages/postgres/src/tokens/lists/address-search.ts',
    find: 'where account_id = ${accountId} and ${isAskedFor(addresses)}',
    replace: 'where account_id = ${accountId - 1} and ${isAskedFor(addresses)}',
  }),
  mutation([105], 'Any user with a token learns whose it is.', {
    file: CHECK,
    find: 'token.user.id === caller.userId ||',
    replace: 'token.user.id !== undefined ||',
  }),
  mutation([105], 'A member cannot check an own token.', {
    file: CHECK,
    find: 'token.user.id === caller.userId ||',
    replace: '',
  }),
  mutation([105], 'A text that is no token is answered without a read.', {
    file: CHECK,
    find: 'if (!verified) await ports.tokens.find(NO_TOKEN);',
    replace: 'if (!verified) void NO_TOKEN;',
  }),
  mutation([105], 'The field of the check keeps the token.', {
    file: `${PAGES}/tokens/check-token.ts`,
    find: "type: 'password',",
    replace: "type: 'text',",
  }),
  mutation([105], 'A search for a token is made as any other.', {
    file: `${PAGES}/session/refusing-token.ts`,
    find: 'hasSecret(visit.target) ?',
    replace: 'hasSecret(visit.target) && visit.path.length === 0 ?',
  }),
];
