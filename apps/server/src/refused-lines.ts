import { isIP } from 'node:net';
import { clientNetwork } from '@gatehouse/postgres';
import { REFUSED_LINE } from './log-rooms.ts';
import type { LineGroup, Tier } from './repeated-lines.ts';

/**
 * Refused tokens are counted by reason and client network (IPv4 address or IPv6 /64); in a flood from very many of
 * them, those without room of their own by the IPv4 /16 or IPv6 /32 they are in, and then by reason alone. So a client
 * that has many networks of one provider takes no room from the others.
 */
export const REFUSAL_TIERS: readonly Tier[] = [
  { maxGroups: 100, maxWritten: 20 },
  { maxGroups: 100, maxWritten: 20 },
  // There are few reasons.
  { maxGroups: Number.POSITIVE_INFINITY, maxWritten: 20 },
];

/** Of what is logged about a refused token, what it is counted by. */
export interface RefusalFacts {
  readonly reason?: unknown;
  readonly address?: unknown;
  readonly token_id?: unknown;
}

/**
 * The groups of a line about a refused token, one for each of the tiers; undefined for every other line. A line with
 * the id of a token is always written: to cause it, a client needs that token.
 */
export function refusalGroups({
  message,
  facts: { reason, address, token_id: tokenId },
  write,
}: {
  readonly message: string;
  readonly facts: RefusalFacts;
  readonly write: (facts: object) => void;
}): readonly LineGroup[] | undefined {
  if (message !== REFUSED_LINE || tokenId !== undefined) return undefined;
  // A connection that is already closed has no address.
  const network = typeof address === 'string' && isIP(address) !== 0 ? clientNetwork(address) : null;
  return [network, network && widerNetwork(network), null].map((shared) => ({
    key: `${reason} ${shared}`,
    summarize: (repeated) => write({ reason, network: shared, repeated }),
  }));
}

/** The IPv4 /16 or the IPv6 /32 of a client network, whose groups are all written out. */
function widerNetwork(network: string): string {
  const [first, second] = network.split(/[.:]/);
  return network.includes(':') ? `${first}:${second}::/32` : `${first}.${second}.0.0/16`;
}
