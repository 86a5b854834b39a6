import { formatDuration } from '@gatehouse/domain/time';
import {
  type AccountTokenPolicy,
  effectiveRules,
  TOKEN_HOLDERS,
  type TokenFloor,
  type TokenHolder,
  type TokenLimits,
  type TokenRules,
} from '@gatehouse/domain/token-policy';
import type { View } from '@gatehouse/extension-kit/cli';

/** The rules for one kind of holder: those of the account, those of the operator, or the stricter of the two. */
interface PolicyRow {
  readonly holder: TokenHolder;
  readonly from: 'account' | 'operator' | 'in effect';
  readonly rules: TokenLimits & Partial<TokenRules>;
}

export const policyRows = (policy: AccountTokenPolicy): readonly PolicyRow[] =>
  TOKEN_HOLDERS.flatMap((holder) => [
    { holder, from: 'account', rules: policy.own[holder] },
    { holder, from: 'operator', rules: policy.floor[holder] },
    { holder, from: 'in effect', rules: effectiveRules(policy, holder) },
  ]);

export const floorRows = (floor: TokenFloor): readonly PolicyRow[] =>
  TOKEN_HOLDERS.map((holder) => ({ holder, from: 'operator', rules: floor[holder] }));

const durationOrNull = (lifetimeMs: number | null) =>
  lifetimeMs === null ? null : formatDuration(lifetimeMs);

const HOLDERS: Readonly<Record<TokenHolder, string>> = { person: 'persons', service: 'service accounts' };

export const rulesDocument = ({
  mustExpire,
  maxLifetimeMs,
  scopes,
  mustHaveNetworks,
  defaultLifetimeMs,
  confirmWithinMs,
}: PolicyRow['rules']) => ({
  must_expire: mustExpire,
  max_lifetime: durationOrNull(maxLifetimeMs),
  ...(defaultLifetimeMs !== undefined && { default_lifetime: durationOrNull(defaultLifetimeMs) }),
  scopes,
  must_have_networks: mustHaveNetworks,
  ...(confirmWithinMs !== undefined && { confirm_within: durationOrNull(confirmWithinMs) }),
});

export const policyView: View<PolicyRow> = {
  document: ({ holder, from, rules }) => ({ holder, from: from.replace(' ', '_'), ...rulesDocument(rules) }),
  columns: [
    { title: 'TOKENS OF', value: ({ holder }) => HOLDERS[holder], essential: true },
    { title: 'RULES', value: ({ from }) => from, essential: true },
    { title: 'EXPIRY', value: ({ rules }) => expiryInWords(rules), essential: true },
    {
      title: 'DEFAULT',
      value: ({ rules }) => defaultInWords(rules) ?? '-',
      essential: true,
    },
    { title: 'NETWORKS', value: ({ rules }) => networksInWords(rules), essential: true },
    {
      title: 'CONFIRMED',
      value: ({ holder, rules }) => (holder === 'person' && confirmationInWords(rules)) || '-',
      essential: true,
    },
    { title: 'SCOPES', value: ({ rules: { scopes } }) => scopesInWords(scopes), flexible: true },
  ],
};

function expiryInWords({ mustExpire, maxLifetimeMs }: TokenLimits): string {
  if (maxLifetimeMs !== null) return `within ${formatDuration(maxLifetimeMs)}`;
  return mustExpire ? 'required' : 'optional';
}

const networksInWords = ({ mustHaveNetworks }: TokenLimits) => (mustHaveNetworks ? 'required' : 'optional');

/** Says how often an identity provider has to confirm a person; undefined for the operator, who has no such rule. */
function confirmationInWords({ confirmWithinMs }: PolicyRow['rules']): string | undefined {
  if (confirmWithinMs === undefined) return undefined;
  return confirmWithinMs === null ? 'optional' : `within ${formatDuration(confirmWithinMs)}`;
}

function scopesInWords(scopes: TokenLimits['scopes']): string {
  if (scopes === null) return 'all';
  return scopes.length === 0 ? 'none' : scopes.join(' ');
}

function defaultInWords({ defaultLifetimeMs }: PolicyRow['rules']): string | undefined {
  return defaultLifetimeMs === undefined ? undefined : (durationOrNull(defaultLifetimeMs) ?? 'never');
}

/** Returns the rules for one kind of holder as a line of a message. */
export function rulesInWords(holder: TokenHolder, rules: PolicyRow['rules']): string {
  const byDefault = defaultInWords(rules);
  const parts = [
    `expiry ${expiryInWords(rules)}`,
    ...(byDefault === undefined ? [] : [`default ${byDefault}`]),
    `scopes ${scopesInWords(rules.scopes)}`,
    `networks ${networksInWords(rules)}`,
    ...(rules.confirmWithinMs ? [`confirmed ${confirmationInWords(rules)}`] : []),
  ];
  return `Tokens of ${HOLDERS[holder]}: ${parts.join(', ')}.`;
}
