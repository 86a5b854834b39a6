declare const brand: unique symbol;

/** A type whose values are made only by the parser of the type, so that other code need not validate them again. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Parses a canonical positive integer up to 2^53-1: no sign, leading zero, exponent or non-ASCII digits. */
export function parsePositiveInteger<Id extends number = number>(text: string): Id | undefined {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? (value as Id) : undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Parses a UUID in lower case (RFC 9562 section 4), the only spelling that is accepted. */
export function parseUuid<Id extends string>(text: string): Id | undefined {
  return UUID.test(text) ? (text as Id) : undefined;
}
