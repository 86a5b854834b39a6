import type { Caller, Rule, Scope } from '../src/access/index.ts';
import { authorizeFound, READ_ORGANIZATION } from '../src/access/index.ts';
import type { AccountId } from '../src/accounts/index.ts';
import { placed } from '../src/organizations/index.ts';
import type { KeyId } from '../src/signing-keys/index.ts';
import { addMilliseconds } from '../src/time/index.ts';
import type { TokenId, TokenRecord, VerifiedToken } from '../src/tokens/index.ts';
import { fromClient, parseTokenNetworks, refused, TOKEN_REFUSALS, tokenCaller } from '../src/tokens/index.ts';
import { ROLES, type Role, type UserId } from '../src/users/index.ts';
import { anOrganization, aRevocation, aSigningKey, aTokenRecord, START, unwrap } from './fixtures.ts';
import { someClaims } from './token-claims.ts';

/** Whether a presented token is accepted, or why it is refused. */
export const TOKEN_VERDICTS = ['accepted', 'no_token', ...TOKEN_REFUSALS] as const;

const ORGANIZATIONS = ['own account', 'another account', 'absent'] as const;
const SCOPES: readonly Scope[] = ['*', 'orgs:read', 'me:read'];

/** The values of each fact that decides whether a rule lets a token act on an organization, or on a resource of one. */
const FACTS = {
  token: TOKEN_VERDICTS,
  scopes: SCOPES,
  role: ROLES,
  organization: ORGANIZATIONS,
  member: [true, false],
};

export type AccessFacts = { readonly [Fact in keyof typeof FACTS]: (typeof FACTS)[Fact][number] };

/** The number of combinations of the facts. */
export const COMBINATIONS = Object.values(FACTS).reduce((product, { length }) => product * length, 1);

export interface AccessRow extends AccessFacts {
  readonly verdict: string;
}

/**
 * Every combination of the facts, with the verdict of the product's own functions, for a rule of a resource that is an
 * organization or stands under one.
 */
export function accessTable(
  rule: Rule = READ_ORGANIZATION,
  scopes: readonly Scope[] = SCOPES,
): readonly AccessRow[] {
  let rows: readonly object[] = [{}];
  for (const [fact, values] of Object.entries({ ...FACTS, scopes })) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [fact]: value })));
  }
  return (rows as readonly AccessFacts[]).map((facts) => ({ ...facts, verdict: verdictOf(rule, facts) }));
}

function verdictOf(rule: Rule, facts: AccessFacts): string {
  const caller = callerFrom(facts);
  const decision = authorizeFound(caller, rule, () => placed(organizationFrom(facts)));
  if (decision instanceof Promise) throw new TypeError('nothing has to be read');
  return decision.ok ? 'allowed' : decision.error.code;
}

const OWN = 1 as AccountId;
const ANOTHER = 2 as AccountId;
const USER = 7 as UserId;
const TOKEN = '01890000-0000-7000-8000-000000000001' as TokenId;
const ELSEWHERE = unwrap(parseTokenNetworks({ mode: 'enforced', list: ['203.0.113.0/24'] }));
const ISSUER = { issuer: 'gatehouse', audience: 'gatehouse-api' };

function callerFrom({ token, scopes, role }: AccessFacts): Caller {
  switch (token) {
    case 'no_token':
    case 'malformed':
    case 'unknown_key':
    case 'bad_signature':
      return refused(token);
    default: {
      const issuer = token === 'claims_mismatch' ? 'someone else' : ISSUER.issuer;
      const verified: VerifiedToken = {
        key: aSigningKey({ id: (token === 'key_mismatch' ? 'other' : 'key-1') as KeyId }),
        claims: someClaims({ issuer, subject: USER, tokenId: TOKEN, issuedAt: START, expiresAt: null }),
      };
      const record = token === 'unknown_token' ? undefined : recordFrom(token, role, scopes);
      const caller = tokenCaller(verified, record, {
        issuer: ISSUER,
        now: addMilliseconds(START, 60_000),
        origin: 'test',
      });
      return caller.kind === 'user' ? fromClient(caller, '198.51.100.7') : caller;
    }
  }
}

function recordFrom(token: AccessFacts['token'], role: Role, scope: Scope): TokenRecord {
  const { user, account, ...record } = aTokenRecord({
    id: TOKEN,
    accountId: OWN,
    userId: USER,
    subject: USER,
  });
  return {
    ...record,
    user: {
      ...user,
      role,
      disabledAt: token === 'user_disabled' ? START : null,
      confirmedUntil: token === 'not_confirmed' ? START : null,
    },
    account: { ...account, suspendedAt: token === 'account_suspended' ? START : null },
    keyState: token === 'key_retired' ? 'retired' : 'active',
    scopes: [scope],
    networks: token === 'network_not_allowed' ? ELSEWHERE : null,
    expiresAt: token === 'expired' ? addMilliseconds(START, 60_000) : null,
    revocation: token === 'revoked' ? aRevocation() : null,
  };
}

function organizationFrom({ organization: place, member: isMember }: AccessFacts) {
  if (place === 'absent') return undefined;
  return { organization: anOrganization({ accountId: place === 'own account' ? OWN : ANOTHER }), isMember };
}
