import { SECRET } from '@gatehouse/domain';

/**
 * Whether an address has a token or a code in its path or its query. Percent-encoded characters are decoded twice,
 * because an address can be a parameter of another one.
 */
export const hasSecret = (address: string): boolean =>
  [address, decoded(address), decoded(decoded(address))].some((text) => SECRET.test(text));

/** Decodes the characters that secrets have: ASCII alone. Unlike `decodeURIComponent`, reads every text. */
const decoded = (text: string): string =>
  text.replaceAll(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
