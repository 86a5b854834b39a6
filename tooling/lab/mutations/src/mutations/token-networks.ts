import { type Mutation, mutation } from '../mutation.ts';

const NETWORKS = 'packages/domain/src/tokens/networks';
const CALLER = 'packages/domain/src/tokens/authentication/authenticate-token.ts';
const CONDITIONS = 'packages/domain/src/services/understood-conditions.ts';
const VERIFIER = 'packages/verifier/src/networks';

/** The networks of tokens: requirements 131 to 135. */
export const TOKEN_NETWORK_MUTATIONS: readonly Mutation[] = [
  mutation([131], 'An address that is not known is in each network.', {
    file: `${NETWORKS}/token-networks.ts`,
    find: 'if (groups === undefined) return true;',
    replace: 'if (groups === undefined) return false;',
  }),
  mutation([131], 'Enforced networks only report.', {
    file: CALLER,
    find: "networks.mode === 'enforced' ? refused('network_not_allowed')",
    replace: "networks.list.length === 0 ? refused('network_not_allowed')",
  }),
  mutation([132], 'A network has the next address, too.', {
    file: `${NETWORKS}/network.ts`,
    find: 'differing >> (16 - bits) !== 0',
    replace: 'differing >> (17 - bits) !== 0',
  }),
  mutation([132], 'An IPv4 address is compared with networks of IPv6.', {
    file: `${NETWORKS}/network.ts`,
    find: 'if (groups.length !== address.length) return false;',
  }),
  mutation([132], 'A verifier compares an IPv4 address with networks of IPv6.', {
    file: `${VERIFIER}/networks.ts`,
    find: 'if (groups.length !== address.length) return false;',
  }),
  mutation([133], 'A service that declares nothing is told that the token is active.', {
    file: CONDITIONS,
    find: "networks?.mode !== 'enforced' || declared.includes('networks')",
    replace: "networks?.mode !== 'enforced' || declared.length >= 0",
  }),
  mutation([133], 'A verifier ignores a condition that it does not know.', {
    file: `${VERIFIER}/conditions.ts`,
    find: "if (Object.keys(others).length > 0) return 'unknown';",
    replace: 'void others;',
  }),
  mutation([133], 'A verifier tells the networks of a token, and does not decide by them.', {
    file: 'packages/verifier/src/verdict/judge-token.ts',
    find: 'if (networks && isOutside(networks, clientAddress)) return networkNotAllowed(clientAddress);',
    replace: 'if (networks && isOutside([], undefined)) void networkNotAllowed;',
  }),
  mutation([134], 'Networks are set while an older program serves.', {
    file: 'packages/domain/src/editions/refuse-while-older.ts',
    find: 'programs.length === 0',
    replace: 'programs.length >= 0',
  }),
  mutation([134], 'A program without an edition counts as a new one.', {
    file: 'packages/postgres/src/editions/editions.ts',
    find: '::int, 0) <',
    replace: '::int, 1000) <',
  }),
  mutation([135], 'A token with all scopes may do what only a person may.', {
    file: 'packages/domain/src/access/authorize.ts',
    find: "if (!rule.scope) return { code: 'not_allowed' };",
  }),
  mutation([135], 'A rotation makes a token without networks.', {
    file: 'packages/domain/src/tokens/rotation/rotate-token.ts',
    find: 'const kept = { accountId, userId, kind, name, scopes, networks };',
    replace: 'const kept = { accountId, userId, kind, name, scopes, networks: networks && null };',
  }),
  mutation([135], 'A rotation forgets the networks that were set meanwhile.', {
    file: 'packages/domain/src/tokens/rotation/rotation.ts',
    find: 'name === token.name && haveSameNetworks(networks, token.networks)',
    replace: 'name === token.name && (haveSameNetworks(networks, token.networks) || networks === null)',
  }),
];
