import { isIP } from 'node:net';
import { clientNetwork } from '@gatehouse/domain';
import type { LineGroup, Tier } from './repeated-lines.ts';

/**
 * Limits for log lines about refused tokens and denied requests, which are grouped in three tiers: narrow groups, wider
 * groups, and one group per reason.
 */
export const REFUSAL_TIERS: readonly Tier[] = [
  // At most 25 groups belong to networks of one provider, or to tokens of one user.
  { maxGroups: 100, maxSiblings: 25, maxWritten: 20 },
  { maxGroups: 100, maxWritten: 20 },
  // One group per reason. The number of groups has no limit, because there are few reasons.
  { maxGroups: Number.POSITIVE_INFINITY, maxWritten: 20 },
];

/** A line of the log. Lines about refused tokens and denied requests are grouped by these facts. */
export interface LoggedLine {
  readonly message: string;
  readonly facts: {
    readonly request_id?: unknown;
    readonly reason?: unknown;
    readonly address?: unknown;
    /** The valid token of a request that was denied; undefined if the token itself was refused. */
    readonly token_id?: unknown;
    readonly user_id?: unknown;
  };
  /**
   * Writes another line with the same level and logger. That line is always written and not counted. Its default
   * message is the message of this line.
   */
  readonly write: (facts: object, message?: string) => void;
}

/**
 * Returns the groups of a line about a refused token: by reason and client network (IPv4 address or IPv6 /64), by
 * reason and wider network (IPv4 /16 or IPv6 /32), and by reason alone. The wider groups count lines when there are too
 * many narrow groups. So a client with many networks of one provider does not use up the groups of other clients.
 */
export function groupsByNetwork(line: LoggedLine): readonly LineGroup[] {
  const network = networkOf(line);
  return [network, network && widerNetwork(network), null].map((shared) => group(line, { network: shared }));
}

/**
 * Returns the groups of a line about a denied request: by reason, token and client network, by reason and user, and by
 * reason alone. The wider groups count lines when there are too many narrow groups. So a user with many tokens or
 * networks does not use up the groups of other users.
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
