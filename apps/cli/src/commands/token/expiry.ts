import type { Instant } from '@gatehouse/domain/time';
import type { End } from '@gatehouse/domain/tokens';
import { DURATION, EXPIRY } from '../../input/parsers.ts';

/** The options that give a token's expiry, as a duration or as a time. */
export function expiryOptions(described: { readonly in: string; readonly at: string }) {
  return {
    expiresIn: { ...DURATION, description: described.in },
    expiresAt: { ...EXPIRY, description: described.at, conflicts: ['expiresIn'] },
  } as const;
}

interface Given {
  readonly expiresIn: number | undefined;
  readonly expiresAt: Instant | undefined;
}

/** Returns the expiry from the option that was given; undefined if neither was. */
export function endOf({ expiresIn, expiresAt }: Given): End | undefined {
  if (expiresIn !== undefined) return { in: expiresIn };
  return expiresAt === undefined ? undefined : { at: expiresAt };
}
