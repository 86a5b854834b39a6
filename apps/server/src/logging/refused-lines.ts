import { isIP } from 'node:net';
import { clientNetwork } from '@gatehouse/domain';
import type { LineGroup, Tier } from './repeated-lines.ts';

/** Limits on the groups of lines about refused tokens. */
export const REFUSAL_TIERS: readonly Tier[] = [
  // Limits the groups of one provider's networks, and of one user's tokens.
  { maxGroups: 100, maxSiblings: 25, maxWritten: 20 },
  { maxGroups: 100, maxWritten: 20 },
  // One group per reason. The number of reasons is small, so there is no limit.
  { maxGroups: Number.POSITIVE_INFINITY, maxWritten: 20 },
];

/** A line of the log, with the facts that lines about refused tokens are grouped by. */
export interface LoggedLine {
  readonly message: string;
  readonly facts: {
    readonly request_id?: unknown;
    readonly reason?: unknown;
    readonly address?: unknown;
    /** The accepted token of a request that was denied. */
    readonly token_id?: unknown;
    readonly user_id?: unknown;
  };
  /** Writes a line with the same level and logger, which is not counted. By default it has the same message. */
  readonly write: (facts: object, message?: string) => void;
}

/**
 * Groups by reason and client network (IPv4 address or IPv6 /64); when there are too many groups, further networks by
 * their IPv4 /16 or IPv6 /32, and then by reason alone. So a client with many networks of one provider does not use up
 * the groups of others.
 */
export function groupsByNetwork(line: LoggedLine): readonly LineGroup[] {
  const network = networkOf(line);
  return [network, network && widerNetwork(network), null].map((shared) => group(line, { network: shared }));
}

/**
 * Groups by reason, token and client network; when there are too many groups, further ones by the token's user, and
 * then by reason alone. So a user with many tokens or networks does not use up the groups of others.
 */
export function groupsByToken(line: LoggedLine): readonly LineGroup[] {
  const { token_id, user_id } = line.facts;
  return [
    { token_id, user_id, network: networkOf(line) },
    { token_id: null, user_id, network: null },
    { token_id: null, user_id: null, network: null },
  ].map((shared) => group(line, shared));
}

function group({ facts: { reason }, write }: LoggedLine, shared: object): LineGroup {
  return {
    key: `${reason} ${Object.values(shared).join(' ')}`,
    summarize: (repeated) => write({ kind: 'refused', reason, ...shared, repeated }),
  };
}

/** Returns the client's network; null if the connection is already closed and has no address. */
function networkOf({ facts: { address } }: LoggedLine): string | null {
  return typeof address === 'string' && isIP(address) !== 0 ? clientNetwork(address) : null;
}

/** Returns the IPv4 /16 or IPv6 /32 of a client network in unabbreviated form. */
function widerNetwork(network: string): string {
  const [first, second] = network.split(/[.:]/);
  return network.includes(':') ? `${first}:${second}::/32` : `${first}.${second}.0.0/16`;
}
