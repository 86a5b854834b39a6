/** A token that expires soon. */
export interface ExpiringToken {
  readonly expiresAt: Date;
}

/** Called once for each token in its last 14 days. */
export type OnExpiresSoon = (token: ExpiringToken) => void | Promise<void>;

/** 14 days, in milliseconds: as long as the pages of Gatehouse show that a token expires soon. */
const SOON_MS = 14 * 86_400_000;

/** The largest number of tokens that are remembered. If a program has more tokens, it may hear the same twice. */
const MAX_KNOWN = 1000;

/** The tokens that were told in this process, by the ends of their signatures, which are no secrets by themselves. */
const told = new Set<string>();

/**
 * Tells the program that a token expires soon, unless that was told in this process. The call does not wait for the
 * callback, and no error of the callback reaches it.
 */
export function tellExpiry(
  onExpiresSoon: OnExpiresSoon | undefined,
  token: string | undefined,
  expiresAt: Date | undefined,
): void {
  if (!onExpiresSoon || token === undefined || expiresAt === undefined) return;
  if (expiresAt.getTime() - Date.now() > SOON_MS) return;
  const known = signatureEnd(token);
  if (told.has(known)) return;
  if (told.size >= MAX_KNOWN) told.clear();
  told.add(known);
  Promise.resolve({ expiresAt })
    .then(onExpiresSoon)
    .catch(() => undefined);
}

/** In both formats of tokens, the third part ends with the signature. A PASETO token has a footer behind it. */
const signatureEnd = (token: string) => (token.split('.')[2] ?? token).slice(-24);
