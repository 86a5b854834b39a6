import { type Mutation, mutation } from '../mutation.ts';

const SEARCHED = 'packages/postgres/src/migrations/0011-searched-addresses.ts';

/** The addresses from which tokens are used: requirements 56 and, where they are searched, 69. */
export const ADDRESSES: readonly Mutation[] = [
  mutation([56], 'A token keeps a thousand addresses.', {
    file: 'packages/domain/src/tokens/usage/token-usage.ts',
    find: 'KEPT_ADDRESSES = 5;',
    replace: 'KEPT_ADDRESSES = 1000;',
  }),
  mutation([56], 'IPv6 addresses are kept whole.', {
    file: 'packages/domain/src/tokens/usage/address-search.ts',
    find: 'networkOf(address.groups)',
    replace: 'text',
  }),
  mutation([56], 'Addresses are kept for ten years.', {
    file: 'packages/domain/src/tokens/usage/forget-addresses.ts',
    find: '90 * 86_400_000',
    replace: '3650 * 86_400_000',
  }),
  mutation([56], 'No address is old.', {
    file: 'packages/postgres/src/usage/address-records.ts',
    find: 'from token_addresses where oldest_day < ${day}',
    replace: 'from token_addresses where oldest_day < 0 and oldest_day < ${day}',
  }),
  mutation([56], 'USAGE_ADDRESSES=off still records.', {
    file: 'apps/server/src/container.ts',
    find: 'withoutAddresses(recorder) : recorder',
    replace: 'recorder : withoutAddresses(recorder)',
  }),
  mutation([56], 'Any peer may name the client.', {
    file: 'packages/front/src/client-address.ts',
    find: 'if (!trusted) return peerAddress;',
    replace:
      "if (!trusted) return (request) => String(request.headers['x-forwarded-for'] ?? peerAddress(request));",
  }),
  mutation([56], 'Addresses outlive their token.', {
    file: 'packages/postgres/src/migrations/0007-usage-addresses.ts',
    find: 'primary key references tokens on delete cascade',
    replace: 'primary key',
  }),
  mutation([56], 'An address that gave way or was forgotten is still searched.', {
    file: SEARCHED,
    find: "if tg_op = 'UPDATE' then",
    replace: 'if false then',
  }),
  mutation([56], 'A change of a token’s addresses is not searched.', {
    file: SEARCHED,
    find: 'create or replace trigger token_addresses_updated after update on token_addresses',
    replace: 'create or replace trigger token_addresses_updated after update of token_id on token_addresses',
  }),
  mutation([69], 'Addresses are searched in the account made before.', {
    file: SEARCHED,
    find: 'select tokens.id, seen.address, tokens.account_id\n        from tokens, jsonb',
    replace: 'select tokens.id, seen.address, tokens.account_id - 1\n        from tokens, jsonb',
  }),
];
