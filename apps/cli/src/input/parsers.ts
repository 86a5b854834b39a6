import { parsePositiveInteger } from '@gatehouse/domain';
import type { Scope } from '@gatehouse/domain/access';
import type { Moment } from '@gatehouse/domain/audit';
import type { Catalog } from '@gatehouse/domain/resources';
import { parseKeyId } from '@gatehouse/domain/signing-keys';
import { longestDuration, parseDuration, parseInstant } from '@gatehouse/domain/time';
import { parseTokenId } from '@gatehouse/domain/tokens';
import { A_NUMBER, ACCOUNT_ID, ORGANIZATION_ID, type Parser } from '@gatehouse/extension-kit/cli';
import { usageError } from '../errors/command-error.ts';
import { quote } from '../output/printable.ts';

/** Parses an argument, or throws a usage error that says what is expected. */
export function parsing<T>({ parse, expected }: Parser<T>) {
  return (text: string): T => {
    const value = parse(text);
    if (value === undefined) throw usageError(`${quote(text)} is not ${expected}.`);
    return value;
  };
}

/** The same for text that is of the right form, and beyond a limit: `limitOf` says which. */
function limited<T>(parse: (text: string) => T, limitOf: (text: string) => string | undefined) {
  return (text: string): T => {
    const limit = limitOf(text);
    if (limit !== undefined) throw usageError(`${quote(text)} is ${limit}.`);
    return parse(text);
  };
}

function tooLong(text: string): string | undefined {
  const longest = longestDuration(text);
  return longest === undefined ? undefined : `too long a duration: the longest is ${longest}`;
}

const parser = <T>(parse: (text: string) => T | undefined, expected: string) => parsing({ parse, expected });

export const toAccountId = parsing(ACCOUNT_ID);

export const toOrganizationId = parsing(ORGANIZATION_ID);

export const toTokenId = parser(
  parseTokenId,
  "a token's id, such as 019a0000-0000-7000-8000-000000000000 in lower case; `gatehouse token list` shows them",
);

export const toKeyId = parser(parseKeyId, "a key's id; `gatehouse key list` shows them");

/** Not empty: an empty `--as` is a mistake, and must not mean all accounts. */
export const toActor = parser(
  (text) => (text === '' ? undefined : text),
  'the email of an admin, as in --as EMAIL',
);

export const toMilliseconds = limited(
  parser(parseDuration, 'a duration such as 90d: a whole number from 1 and one of s, m, h, d, w'),
  tooLong,
);

/** RFC 3339 has the years from 0000 to 9999. */
export const toInstant = parser(
  parseInstant,
  'a time in the years to 9999 as in RFC 3339, such as 2027-01-31T00:00:00Z',
);

export const toMoment = limited(
  parser((text): Moment | undefined => {
    const [ago, at] = [parseDuration(text), parseInstant(text)];
    if (ago !== undefined) return { ago };
    return at === undefined ? undefined : { at };
  }, 'how long ago, such as 2d, or a time in the years to 9999 as in RFC 3339, such as 2027-01-31T00:00:00Z'),
  tooLong,
);

export const toName = parser((text) => (text === '' ? undefined : text), 'a name');

export const toCount = parser(parsePositiveInteger, A_NUMBER);

/** For an option that may be given several times. */
export function toScopes({ parseScopes, scopes: known }: Catalog) {
  return (text: string, before: readonly Scope[] = []): readonly Scope[] => {
    const scopes = parseScopes([...before, text]);
    if (!scopes.ok) throw usageError(`${quote(text)} is not a scope: it must be one of ${known.join(', ')}.`);
    return scopes.value;
  };
}
