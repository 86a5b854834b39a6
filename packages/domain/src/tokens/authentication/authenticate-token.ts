import type { AccessDenied, Principal, RefusedCaller } from '../../access/index.ts';
import { type Awaitable, andThen } from '../../awaitable.ts';
import type { Ports } from '../../ports.ts';
import type { VerificationKey } from '../../signing-keys/signing-key.ts';
import { type Instant, wholeSecond } from '../../time/instant.ts';
import { isOutside } from '../networks/token-networks.ts';
import {
  isRecordedRefusal,
  type RefusalReason,
  recordRefusal,
  type TokenRefusal,
} from '../refusal-reasons.ts';
import type { Token, TokenRecord } from '../token.ts';
import type { TokenRepository } from '../token-repository.ts';
import type { TokenClaims, TokenIssuer } from '../token-signer.ts';
import type { UsageRecorder } from '../usage/token-usage.ts';

interface AuthenticateTokenPorts extends DecideOnTokenPorts {
  readonly usage: Pick<UsageRecorder, 'used' | 'refused' | 'usedOutside'>;
}

/**
 * Authenticates a bearer token. `origin` is the client's IP address. A refused token is returned as a caller, not as an
 * error: `authorize` denies this caller every use case. If a port fails, the function throws a fault, and the request
 * is denied.
 */
export type AuthenticateToken = (token: string, origin: string) => Awaitable<TokenCaller | RefusedToken>;

export function authenticateToken({ usage, ...ports }: AuthenticateTokenPorts): AuthenticateToken {
  return decideOnToken(ports, (caller, { claims }, now, origin) => {
    if (caller.kind === 'refused') {
      if (isRecordedRefusal(caller.reason)) usage.refused(claims.tokenId, now, caller.reason, origin);
      return;
    }
    usage.used(claims.tokenId, now, origin);
    if (caller.isOutside) usage.usedOutside(claims.tokenId, now, origin);
  });
}

/**
 * Creates a variant of `authenticateToken` that does not record the use of an accepted token. It is for use cases that
 * record more about the use than authentication knows. The refusal of a token is recorded.
 */
export function authenticateUnrecorded({ usage, ...ports }: AuthenticateTokenPorts): AuthenticateToken {
  return authenticateToken({
    ...ports,
    usage: {
      used: () => undefined,
      refused: (...refusal) => usage.refused(...refusal),
      usedOutside: (...use) => usage.usedOutside(...use),
    },
  });
}

/** Records that a request with an accepted token was not allowed. */
export function recordDenial(
  usage: Pick<UsageRecorder, 'refused'>,
  caller: TokenCaller | RefusedCaller,
  { code }: AccessDenied,
): void {
  if (caller.kind === 'refused' || code === 'token_not_accepted' || code === 'not_found') return;
  usage.refused(caller.token.id, caller.acceptedAt, code, caller.origin);
}

interface DecideOnTokenPorts extends Ports<'signers' | 'keys' | 'clock' | 'issuer' | 'onBehalf'> {
  readonly tokens: Pick<TokenRepository, 'findRecord'>;
}

/**
 * A function that is called after the decision on a token with a valid signature. `origin` is the client's IP address.
 */
type Decided = (
  caller: TokenCaller | RefusedToken,
  verified: VerifiedToken,
  at: Instant,
  origin: string,
) => void;

/** The IP address from which a token is sent; null if no client sends it, such as when an admin inspects it. */
export type ClientAddress = string | null;

/** As `AuthenticateToken`, for a client whose address need not be the origin of the call. Default: the origin. */
type DecideOnToken = (
  token: string,
  origin: string,
  client?: ClientAddress,
) => Awaitable<TokenCaller | RefusedToken>;

/**
 * Decides whether to accept a token. The checks have the order of `REFUSALS`. Calls `decided` for each token with a
 * valid signature. Returns a promise only if one of the ports returns a promise.
 */
export function decideOnToken(ports: DecideOnTokenPorts, decided: Decided): DecideOnToken {
  const { tokens, clock, issuer, onBehalf } = ports;

  function decide(
    verified: VerifiedToken,
    record: TokenRecord | undefined,
    origin: string,
    client: ClientAddress,
  ) {
    const now = clock.now();
    const found = tokenCaller(verified, record, { issuer, now, origin });
    const caller = found.kind === 'user' ? fromClient(found, client) : found;
    decided(caller, verified, now, origin);
    return caller;
  }

  return (token, origin, client = origin) =>
    andThen(verifyToken(ports, token), (verified) => {
      if ('reason' in verified) return verified;
      const { subject, tokenId } = verified.claims;
      return andThen(
        onBehalf.ofUser(subject, () => tokens.findRecord(tokenId)),
        (record) => decide(verified, record, origin, client),
      );
    });
}

/** Verifies the signature of a token. Neither the record of the token nor its claims are checked. */
export function verifyToken(
  { signers, keys }: Ports<'signers' | 'keys'>,
  token: string,
): Awaitable<VerifiedToken | RefusedToken> {
  for (const signer of signers) {
    const keyId = signer.keyIdOf(token);
    if (keyId === undefined) continue;
    return andThen(keys.find(keyId), (key) => {
      if (!key) return refused('unknown_key');
      return andThen(signer.verify(token, key), (claims) =>
        claims ? { claims, key } : refused('bad_signature'),
      );
    });
  }
  return refused('malformed');
}

/** A user acting through a token. */
export interface TokenCaller extends Principal {
  readonly token: TokenRecord;
  /** The time at which the token was accepted. This time is recorded as the last use of the token. */
  readonly acceptedAt: Instant;
  /** Whether the client is outside of the token's networks, which are `report-only`. */
  readonly isOutside?: true;
}

/** A caller whose token was not accepted. */
export interface RefusedToken extends RefusedCaller {
  readonly reason: TokenRefusal;
}

/** The claims of a token with a valid signature, and the key that verified the signature. */
export interface VerifiedToken {
  readonly claims: TokenClaims;
  readonly key: VerificationKey;
}

/**
 * Returns the caller for a verified token and its record, which is undefined if there is none. Runs for each request
 * with the token, and changes nothing.
 */
export function tokenCaller(
  { claims, key }: VerifiedToken,
  token: TokenRecord | undefined,
  context: { readonly issuer: TokenIssuer; readonly now: Instant; readonly origin: string },
): TokenCaller | RefusedToken {
  if (!token) return refused('unknown_token');
  if (key.id !== token.keyId || key.format !== token.format) return refused('key_mismatch');
  if (!claimsMatch(claims, token, context.issuer)) return refused('claims_mismatch');
  return recordCaller(token, context);
}

/** Returns the caller for the record of a token that was verified before. */
export function recordCaller(
  token: TokenRecord,
  { now, origin }: { readonly now: Instant; readonly origin: string },
): TokenCaller | RefusedToken {
  const reason = recordRefusal(token, now);
  if (reason) return refused(reason);

  return {
    kind: 'user',
    userId: token.user.id,
    accountId: token.accountId,
    role: token.user.role,
    scopes: token.scopes,
    origin,
    token,
    acceptedAt: now,
  };
}

/**
 * Refuses a caller whose client is outside of the token's networks if these are `enforced`, and marks it if they are
 * `report-only`. Without a client, nothing is decided.
 */
export function fromClient(
  caller: TokenCaller,
  client: ClientAddress | undefined,
): TokenCaller | RefusedToken {
  const { networks } = caller.token;
  if (networks === null || client === null || !isOutside(networks, client)) return caller;
  return networks.mode === 'enforced' ? refused('network_not_allowed') : { ...caller, isOutside: true };
}

/** Makes the caller of a request that has no token, or whose token was not accepted. */
export function refused<Reason extends RefusalReason>(
  reason: Reason,
): RefusedCaller & { readonly reason: Reason } {
  return { kind: 'refused', reason };
}

/** Whether a verified token's claims match its record. */
function claimsMatch(claims: TokenClaims, token: Token, issuer: TokenIssuer): boolean {
  return (
    claims.issuer === issuer.issuer &&
    claims.audience === issuer.audience &&
    claims.tokenId === token.id &&
    claims.subject === token.subject &&
    claims.kind === token.kind &&
    claims.issuedAt === wholeSecond(token.createdAt) &&
    expiryMatches(claims.expiresAt, token.expiresAt)
  );
}

/** The expiry in the record may be earlier than the expiry in the signed token, but never later. */
function expiryMatches(claimed: Instant | null, recorded: Instant | null): boolean {
  return claimed === null || (recorded !== null && recorded <= claimed);
}
