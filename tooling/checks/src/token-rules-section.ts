import type { Scope } from '@gatehouse/domain/access';
import { START } from '@gatehouse/domain/testing';
import { addMilliseconds, formatDuration, parseDuration } from '@gatehouse/domain/time';
import {
  effectiveRules,
  INITIAL_TOKEN_POLICY,
  limitProblem,
  NO_TOKEN_FLOOR,
  shortenedExpiry,
  type TokenLimits,
} from '@gatehouse/domain/token-policy';
import { markdownTable } from './markdown-table.ts';

const { person: NONE } = NO_TOKEN_FLOOR;
const LIMITS: Readonly<Record<string, TokenLimits>> = {
  none: NONE,
  'must expire': { ...NONE, mustExpire: true },
  '90d': { ...NONE, mustExpire: true, maxLifetimeMs: parseDuration('90d') ?? null },
  '365d': { ...NONE, mustExpire: true, maxLifetimeMs: parseDuration('365d') ?? null },
};

const ANY = { expiresAt: null, scopes: ['*'], networks: null } as const;
const LIFETIMES = ['90d', '365d', 'never'] as const;

const lifetimeOf = (text: string) => parseDuration(text) ?? null;

/** Returns the section of docs/administer/access.md about the rules for tokens, from the functions that decide. */
export function tokenRulesSection(): string {
  const names = Object.keys(LIMITS);
  const rows = names.flatMap((own) => names.map((floor) => lifetimeRow(own, floor)));
  return `## Tokens that the rules allow

The table shows which lifetimes a new API token may have, with these longest lifetimes of the account and of the operator ([token
rules](token-rules.md)). *Default* is the lifetime if none is chosen, where the account's own default is 90d. *Rotation* is the
lifetime of the successor of a token that never expires. The code is \`limitProblem\` in \`packages/domain/src/token-policy/token-limit.ts\`.

${markdownTable(['account', 'operator', ...LIFETIMES, 'default', 'rotation'], rows)}

The next table shows which scopes may be given. A list of the operator applies in the same way; with both, both must allow the
scope.

${markdownTable(['allowed scopes', ...SCOPES.map((scope) => `\`${scope}\``)], SCOPE_LISTS.map(scopesRow))}
`;
}

function lifetimeRow(own: string, floor: string): string[] {
  const rules = effectiveRules(
    {
      own: { ...INITIAL_TOKEN_POLICY, person: { ...INITIAL_TOKEN_POLICY.person, ...LIMITS[own] } },
      floor: { ...NO_TOKEN_FLOOR, person: LIMITS[floor] ?? NONE },
    },
    'person',
  );
  const verdicts = LIFETIMES.map((text) => {
    const lifetime = lifetimeOf(text);
    const expiresAt = lifetime === null ? null : addMilliseconds(START, lifetime);
    return limitProblem(rules, 'person', { ...ANY, expiresAt }, START) === undefined ? 'yes' : 'no';
  });
  const rotated = shortenedExpiry(rules, START, null);
  const inWords = (lifetime: number | null) => (lifetime === null ? 'never' : formatDuration(lifetime));
  return [
    own,
    floor,
    ...verdicts,
    inWords(rules.defaultLifetimeMs),
    inWords(rotated === null ? null : rotated - START),
  ];
}

const SCOPES: readonly Scope[] = ['*', 'orgs:read', 'orders:read', 'orders:*'];

const SCOPE_LISTS: readonly (readonly Scope[] | null)[] = [
  null,
  ['*', 'me:read', 'orgs:read'],
  ['orgs:read'],
  ['orders:read'],
  ['orders:*'],
];

function scopesRow(scopes: readonly Scope[] | null): string[] {
  const verdicts = SCOPES.map((scope) => {
    const token = { ...ANY, scopes: [scope] };
    return limitProblem({ ...NONE, scopes }, 'person', token, START) === undefined ? 'yes' : 'no';
  });
  return [scopes === null ? 'all' : scopes.map((scope) => `\`${scope}\``).join(' '), ...verdicts];
}
