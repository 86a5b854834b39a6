import { isIP } from 'node:net';

/** The year 9999, in milliseconds since 1970. No number of Gatehouse is larger, and sums of such times are still dates. */
const LARGEST = 253_402_300_799_999;

/** @throws TypeError */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('is not a text');
  return value;
}

/** @throws TypeError */
export function texts(value: unknown): string[] {
  if (!Array.isArray(value)) throw new TypeError('is not a list of texts');
  return value.map(text);
}

/** A finite number that can be a time in milliseconds. @throws TypeError */
export function number(value: unknown): number {
  if (typeof value !== 'number' || !(Math.abs(value) <= LARGEST)) throw new TypeError('is not a number');
  return value;
}

/** The number of a record. @throws TypeError */
export function id(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw new TypeError('is not an id');
  return value as number;
}

/**
 * Whether Gatehouse takes it as an address. `isIP` also accepts a list with one address, as a header can be, but the
 * server would refuse the whole request.
 */
export const isAddress = (value: unknown): value is string => typeof value === 'string' && isIP(value) !== 0;
