import { checkName } from '@gatehouse/domain';
import type { ProvenPerson } from '@gatehouse/domain/identity-providers';
import type { Instant } from '@gatehouse/domain/time';
import { parseEmail } from '@gatehouse/domain/users';
import { ExchangeError } from './exchange-error.ts';
import { isObject } from './json-object.ts';
import type { OpenIdProvider } from './settings.ts';

/** The claims of a verified ID token. Nothing is known yet about the type of each. */
export type Claims = Readonly<Record<string, unknown>>;

/** The largest number of values of the claim with roles, and of characters of each. */
const MAX_VALUES = 2000;
const MAX_VALUE_LENGTH = 500;

/** Whether the claims lack some that the provider may send only to who asks for more about the person. */
export function lacksClaims(claims: Claims, { roles }: OpenIdProvider): boolean {
  return claims.email === undefined || (roles !== null && readRoleValues(claims, roles.claim) === null);
}

/**
 * Adds the provider's separate answer to the claims of the ID token, which win. An address and whether it is verified are
 * of one source: otherwise one source could verify the address of the other.
 */
export function withMore(claims: Claims, more: Claims): Claims {
  const { email, email_verified } = claims.email === undefined ? more : claims;
  return { ...more, ...claims, email, email_verified };
}

/** Reads the person from the claims, each by its type. Throws an `ExchangeError` if the provider breaks its own rules. */
export function readPerson(claims: Claims, { issuer, roles }: OpenIdProvider): ProvenPerson {
  const email = readEmail(claims.email);
  return {
    issuer,
    subject: readSubject(claims.sub),
    email,
    isEmailVerified: email !== null && claims.email_verified === true,
    name: readName(claims.name),
    roleValues: roles && readRoleValues(claims, roles.claim),
    authenticatedAt: readTime(claims.auth_time),
    providerSession: readSession(claims.sid),
  };
}

/** Checks the claim `sub`: 1 to 255 ASCII characters (OpenID Connect Core 1.0 section 2). */
export function readSubject(sub: unknown): string {
  if (typeof sub === 'string' && /^[\x20-\x7e]{1,255}$/.test(sub)) return sub;
  throw new ExchangeError('answer_malformed', 'the claim sub is not 1 to 255 ASCII characters');
}

/** Returns the provider's session (`sid`); null if it is missing. */
export function readSession(sid: unknown): string | null {
  return typeof sid === 'string' && /^[\x20-\x7e]{1,255}$/.test(sid) ? sid : null;
}

/** An address that no user of Gatehouse could have counts as none. */
function readEmail(email: unknown): string | null {
  const parsed = typeof email === 'string' ? parseEmail(email.normalize('NFC')) : undefined;
  return parsed?.ok ? parsed.value : null;
}

function readName(name: unknown): string | null {
  if (typeof name !== 'string' || name.length > 1000) return null;
  const checked = checkName('name', name.normalize('NFC').replace(/\s+/gu, ' ').trim());
  return checked.ok ? checked.value : null;
}

function readTime(seconds: unknown): Instant | null {
  return Number.isSafeInteger(seconds) && Number(seconds) >= 0 ? ((Number(seconds) * 1000) as Instant) : null;
}

/**
 * Reads the values of the claim with roles. Entra ID leaves the groups of a person with more than 200 out, and names the
 * claim in `_claim_names`, with an address where they can be asked for (OpenID Connect Core 1.0 section 5.6.2).
 */
function readRoleValues(claims: Claims, claim: string): readonly string[] | 'too-many' | null {
  const value = claims[claim];
  if (value === undefined)
    return isObject(claims._claim_names) && Object.hasOwn(claims._claim_names, claim) ? 'too-many' : null;
  const values = Array.isArray(value) ? value : [value];
  if (values.length > MAX_VALUES) return 'too-many';
  if (values.every((each) => typeof each === 'string' && each.length <= MAX_VALUE_LENGTH)) return values;
  throw new ExchangeError('answer_malformed', 'the claim with the roles is not a list of texts');
}
