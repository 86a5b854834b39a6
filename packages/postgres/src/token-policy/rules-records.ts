import type { AccountId } from '@gatehouse/domain/accounts';
import type {
  AccountTokenPolicy,
  TokenHolder,
  TokenLimits,
  TokenRules,
} from '@gatehouse/domain/token-policy';
import type { InferResult } from 'kysely';
import { selected } from '../database/domain-names.ts';
import type { Queries } from '../database/schema.ts';

/** Selects the floor: one row for each kind of holder. */
export const selectFloor = (db: Queries) =>
  db
    .selectFrom('token_floors')
    .select(selected('holder', 'mustExpire', 'maxLifetimeMs', 'scopes', 'mustHaveNetworks'));

/** Selects the rules of an account, each row with that of the floor for the same kind of holder. */
export const selectPolicies = (db: Queries, accountId: AccountId) =>
  // Uses the indexes token_policies_pkey and token_floors_pkey.
  db
    .selectFrom('token_policies as policy')
    .innerJoin('token_floors as floor', 'floor.holder', 'policy.holder')
    .select([
      'policy.holder',
      'policy.must_expire as mustExpire',
      'policy.max_lifetime_ms as maxLifetimeMs',
      'policy.scopes',
      'policy.must_have_networks as mustHaveNetworks',
      'policy.default_lifetime_ms as defaultLifetimeMs',
      'policy.confirm_within_ms as confirmWithinMs',
      'floor.must_expire as floorMustExpire',
      'floor.max_lifetime_ms as floorMaxLifetimeMs',
      'floor.scopes as floorScopes',
      'floor.must_have_networks as floorMustHaveNetworks',
    ])
    .where('policy.account_id', '=', accountId);

type PolicyRow = InferResult<ReturnType<typeof selectPolicies>>[number];

/** Makes the rules of an account from its rows; undefined if there are none, because there is no such account. */
export function toPolicy(rows: readonly PolicyRow[]): AccountTokenPolicy | undefined {
  if (rows.length === 0) return undefined;
  const own = byHolder(rows, (row) => ({
    ...toLimits(row),
    defaultLifetimeMs: row.defaultLifetimeMs,
    confirmWithinMs: row.confirmWithinMs,
  }));
  const floor = byHolder(rows, (row) =>
    toLimits({
      mustExpire: row.floorMustExpire,
      maxLifetimeMs: row.floorMaxLifetimeMs,
      scopes: row.floorScopes,
      mustHaveNetworks: row.floorMustHaveNetworks,
    }),
  );
  return Object.freeze({ own, floor });
}

export const toFloor = (rows: InferResult<ReturnType<typeof selectFloor>>) => byHolder(rows, toLimits);

function byHolder<Row extends { readonly holder: TokenHolder }, Rules extends TokenLimits>(
  rows: readonly Row[],
  rulesOf: (row: Row) => Rules,
): Readonly<Record<TokenHolder, Rules>> {
  // The tables have a row for each kind of holder.
  const entries = rows.map((row) => [row.holder, Object.freeze(rulesOf(row))]);
  return Object.freeze(Object.fromEntries(entries));
}

function toLimits({ mustExpire, maxLifetimeMs, scopes, mustHaveNetworks }: TokenLimits): TokenLimits {
  return { mustExpire, maxLifetimeMs, scopes: scopes && Object.freeze(scopes), mustHaveNetworks };
}

/** The columns of limits, for an update. */
export const limitRow = ({ mustExpire, maxLifetimeMs, scopes, mustHaveNetworks }: TokenLimits) => ({
  must_expire: mustExpire,
  max_lifetime_ms: maxLifetimeMs,
  scopes,
  must_have_networks: mustHaveNetworks,
});

/** The columns of rules, for an update. */
export const ruleRow = (rules: TokenRules) => ({
  ...limitRow(rules),
  default_lifetime_ms: rules.defaultLifetimeMs,
  confirm_within_ms: rules.confirmWithinMs,
});
