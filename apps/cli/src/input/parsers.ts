import { parsePositiveInteger } from '@gatehouse/domain';
import { parseScopes, SCOPES, type Scope } from '@gatehouse/domain/access';
import { type AccountId, parseAccountId } from '@gatehouse/domain/accounts';
import type { Moment } from '@gatehouse/domain/audit';
import { type OrganizationId, parseOrganizationId } from '@gatehouse/domain/organizations';
import { type KeyId, parseKeyId } from '@gatehouse/domain/signing-keys';
import { type Instant, parseDuration, parseInstant } from '@gatehouse/domain/time';
import { parseTokenId, type TokenId } from '@gatehouse/domain/tokens';
import { usageError } from '../errors/command-error.ts';
import { quote } from '../output/printable.ts';

type Parser<T> = (text: string) => T;

/** Parses an argument, or throws a usage error that says what is expected. */
function parser<T>(parse: (text: string) => T | undefined, expected: string): Parser<T> {
  return (text) => {
    const value = parse(text);
    if (value === undefined) throw usageError(`${quote(text)} is not ${expected}.`);
    return value;
  };
}

const A_NUMBER = 'a whole number from 1, such as 42';

export const toAccountId: Parser<AccountId> = parser(parseAccountId, `an account's id: ${A_NUMBER}`);

export const toOrganizationId: Parser<OrganizationId> = parser(
  parseOrganizationId,
  `an organization's id: ${A_NUMBER}`,
);

export const toTokenId: Parser<TokenId> = parser(
  parseTokenId,
  "a token's id, such as 019a0000-0000-7000-8000-000000000000 in lower case; `gatehouse token list` shows them",
);

export const toKeyId: Parser<KeyId> = parser(parseKeyId, "a key's id; `gatehouse key list` shows them");

/** Not empty: an empty `--as` is a mistake, and must not mean all accounts. */
export const toActor: Parser<string> = parser(
  (text) => (text === '' ? undefined : text),
  'the email of an admin, as in --as EMAIL',
);

export const toMilliseconds: Parser<number> = parser(
  parseDuration,
  'a duration such as 90d: a whole number from 1 and one of s, m, h, d, w',
);

export const toInstant: Parser<Instant> = parser(
  parseInstant,
  'a time as in RFC 3339, such as 2027-01-31T00:00:00Z',
);

export const toMoment: Parser<Moment> = parser((text) => {
  const [ago, at] = [parseDuration(text), parseInstant(text)];
  if (ago !== undefined) return { ago };
  return at === undefined ? undefined : { at };
}, 'how long ago, such as 2d, or a time as in RFC 3339, such as 2027-01-31T00:00:00Z');

export const toName: Parser<string> = parser((text) => (text === '' ? undefined : text), 'a name');

export const toCount: Parser<number> = parser(parsePositiveInteger, A_NUMBER);

/** For an option that may be given several times. */
export function toScopes(text: string, before: readonly Scope[] = []): readonly Scope[] {
  const scopes = parseScopes([...before, text]);
  if (!scopes.ok) throw usageError(`${quote(text)} is not a scope: it must be one of ${SCOPES.join(', ')}.`);
  return scopes.value;
}
