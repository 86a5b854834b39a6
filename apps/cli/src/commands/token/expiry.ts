import type { Instant } from '@gatehouse/domain/time';
import type { End } from '@gatehouse/domain/tokens';

interface Given {
  readonly expiresIn: number | undefined;
  readonly expiresAt: Instant | undefined;
}

/** The expiry that `--expires-in` or `--expires-at` gives. */
export function endOf({ expiresIn, expiresAt }: Given): End | undefined {
  if (expiresIn !== undefined) return { in: expiresIn };
  return expiresAt === undefined ? undefined : { at: expiresAt };
}
