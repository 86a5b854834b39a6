import { isIP } from 'node:net';
import { clientNetwork } from '@gatehouse/postgres';
import { REFUSED_LINE } from './log-rooms.ts';
import { createRepeatedLines, type LineGroup, type Tier } from './repeated-lines.ts';

const TIERS: readonly Tier[] = [
  // One provider's networks, or one user's tokens, leave room for others.
  { maxGroups: 100, maxSiblings: 25, maxWritten: 20 },
  { maxGroups: 100, maxWritten: 20 },
  // There are few reasons.
  { maxGroups: Number.POSITIVE_INFINITY, maxWritten: 20 },
];

/** A line, with what a line about a refused token is counted by. */
export interface RefusedLine {
  readonly message: string;
  readonly facts: {
    readonly reason?: unknown;
    readonly address?: unknown;
    /** Of a token that was accepted, but may not do what was asked. */
    readonly token_id?: unknown;
    readonly user_id?: unknown;
  };
  /** Writes a line of the same message that is not counted. */
  readonly write: (facts: object) => void;
}

/** Decides which of the lines about refused tokens are written, and counts the others. */
export interface RefusedLines {
  /** Whether to write the line now; true for every line that is about something else. */
  admit(line: RefusedLine): boolean;
  /** Writes what was counted until now. */
  flush(): void;
}

/** Counts tokens that were accepted apart from others, so that a flood of one kind takes no lines from the other. */
export function createRefusedLines(): RefusedLines {
  const unaccepted = createRepeatedLines(TIERS);
  const accepted = createRepeatedLines(TIERS);
  return {
    admit(line) {
      if (line.message !== REFUSED_LINE) return true;
      return line.facts.token_id === undefined
        ? unaccepted.admit(groupsByNetwork(line))
        : accepted.admit(groupsByToken(line));
    },
    flush() {
      unaccepted.flush();
      accepted.flush();
    },
  };
}

/**
 * By reason and client network (IPv4 address or IPv6 /64); in a flood from very many of them, those without room of
 * their own by the IPv4 /16 or IPv6 /32 they are in, and then by reason alone. So a client that has many networks of
 * one provider takes no room from the others.
 */
function groupsByNetwork(line: RefusedLine): readonly LineGroup[] {
  const network = networkOf(line);
  return [network, network && widerNetwork(network), null].map((shared) => group(line, { network: shared }));
}

/**
 * By reason, token and client network; in a flood of very many of them, those without room of their own by the token's
 * user, and then by reason alone. So a user who has many tokens or networks takes no room from other users.
 */
function groupsByToken(line: RefusedLine): readonly LineGroup[] {
  const { token_id, user_id } = line.facts;
  return [
    { token_id, user_id, network: networkOf(line) },
    { token_id: null, user_id, network: null },
    { token_id: null, user_id: null, network: null },
  ].map((shared) => group(line, shared));
}

function group({ facts: { reason }, write }: RefusedLine, shared: object): LineGroup {
  return {
    key: `${reason} ${Object.values(shared).join(' ')}`,
    summarize: (repeated) => write({ reason, ...shared, repeated }),
  };
}

/** A connection that is already closed has no address. */
function networkOf({ facts: { address } }: RefusedLine): string | null {
  return typeof address === 'string' && isIP(address) !== 0 ? clientNetwork(address) : null;
}

/** The IPv4 /16 or the IPv6 /32 of a client network, whose groups are all written out. */
function widerNetwork(network: string): string {
  const [first, second] = network.split(/[.:]/);
  return network.includes(':') ? `${first}:${second}::/32` : `${first}.${second}.0.0/16`;
}
