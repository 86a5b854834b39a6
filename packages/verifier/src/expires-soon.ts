/** A token that was accepted, and will soon not be. */
export interface ExpiringToken {
  /** The id of the token, not the token itself. */
  readonly token: string;
  /** The id of the owner of the token. */
  readonly user: number;
  /** The id of the owner's account. */
  readonly account: number;
  readonly expiresAt: Date;
}

/** Called once for each token in its last 14 days. */
export type OnExpiresSoon = (token: ExpiringToken) => void | Promise<void>;

/** 14 days, in milliseconds: as long as the pages of Gatehouse show that a token expires soon. */
const SOON_MS = 14 * 86_400_000;

/** An accepted token, with the end in milliseconds since 1970; infinite if it never expires. */
interface AcceptedToken {
  readonly caller: Omit<ExpiringToken, 'expiresAt'>;
  readonly expiresAt: number;
}

/**
 * Returns a function that tells the service of an accepted token that expires soon, unless it was told before. Requests
 * do not wait for the callback, and no error of the callback reaches them.
 *
 * @param maxTokens the largest number of told tokens that are remembered; of more, some may be told again
 */
export function createExpiryTeller(onExpiresSoon: OnExpiresSoon | undefined, maxTokens: number) {
  const told = new Set<string>();
  return ({ caller: { token, user, account }, expiresAt }: AcceptedToken, wall: number): void => {
    if (!onExpiresSoon || expiresAt - wall > SOON_MS || told.has(token)) return;
    if (told.size >= maxTokens) told.clear();
    told.add(token);
    Promise.resolve({ token, user, account, expiresAt: new Date(expiresAt) })
      .then(onExpiresSoon)
      .catch(() => undefined);
  };
}
