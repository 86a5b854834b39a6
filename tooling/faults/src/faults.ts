/** A fault that the project is tested under. */
export interface Fault {
  readonly title: string;
  readonly mustHold: string;
  /** The test files, from the root of the repository; their sabotage twins are in them. */
  readonly files: readonly string[];
  /** The tests of those files that are about it, by a pattern of their names; all, without one. */
  readonly only?: string;
  /** Why a bar that was missed was missed, going on after "because". */
  readonly whyMissed?: string;
}

/** Every fault, in the order in which they are run and told of. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  R1: {
    title: 'tokens revoked on warm nodes under load',
    mustHold: 'last acceptance after the acknowledgement: p50 ≤ 50 ms, p99 ≤ 250 ms, none after 1 s',
    files: ['apps/server/src/revocation.test.ts'],
    only: 'under load',
  },
  R2: {
    title: 'the session that listens is ended, again and again',
    mustHold: 'nothing accepted later than 1 s after the acknowledgement',
    files: ['apps/server/src/revocation.test.ts'],
    only: 'listening sessions',
  },
  R3: {
    title:
      'a listening connection that falls silent, or leads to a pooler, another database or a standby; a pool that leads to a standby',
    mustHold:
      'nothing accepted later than 1 s after the acknowledgement; what leads elsewhere is never trusted; with all servers degraded, at half of what they can answer uncached, 0 requests refused',
    files: [
      'apps/server/src/outages.test.ts',
      'tooling/faults/src/degraded/all-degraded.test.ts',
      'tooling/faults/src/listening-elsewhere/listening-elsewhere.test.ts',
      'tooling/faults/src/listening-elsewhere/pool-on-standby.test.ts',
      'packages/postgres/src/changes/change-feed.test.ts',
      'packages/postgres/src/changes/change-feed-pooler.test.ts',
    ],
    only: 'while the pool goes on|that way falls silent|takes degraded servers out|connection that leads|pool that leads|trusts whatever|to another database|behind PgBouncer',
  },
  R4: {
    title: 'a database that is cut off, or falls silent',
    mustHold:
      'what is known is served for 1 s at most; after that every answer is 503, never 401 or 200; it recovers by itself; where only listening fails, on all servers, at half of what they can answer uncached, 0 requests refused',
    files: ['apps/server/src/outages.test.ts', 'tooling/faults/src/degraded/all-degraded.test.ts'],
    only: 'database that cannot be reached|that way cannot be reached|takes degraded servers out',
  },
  R5: {
    title: 'what is read for a cache changes meanwhile, or the feed is lost; reads that are joined',
    mustHold: 'in 100,000 forced interleavings, nothing outdated is kept or used',
    files: ['packages/cache/src/interleavings.test.ts'],
  },
  R6: {
    title: '100,000 changes at once, and TRUNCATE',
    mustHold: 'everything known is dropped, nothing missed: no token is accepted a second later',
    files: ['apps/server/src/coherence.test.ts', 'packages/postgres/src/changes/change-triggers.test.ts'],
    only: 'very many changes|hundred thousand',
  },
  D1: {
    title: 'PostgreSQL killed outright under load, again and again',
    mustHold:
      'nothing acknowledged is lost, no answer is wrong; servers stay, and answer 2 s after PostgreSQL at most',
    files: ['tooling/faults/src/database-killed/database-killed.test.ts'],
  },
  D2: {
    title: 'a server killed outright under load, again and again',
    mustHold:
      'nothing acknowledged is lost, no answer is wrong; last uses a second behind at most, never back, never ahead',
    files: ['tooling/faults/src/node-killed/node-killed.test.ts'],
  },
  D3: {
    title: 'a disk of PostgreSQL that is full: of its data, and of its write-ahead log',
    mustHold:
      'changes and sign-ins are refused; reads are not, while PostgreSQL runs; nothing is acknowledged that was not done; when there is room again, all works',
    files: ['tooling/faults/src/disk-full/disk-full.test.ts'],
  },
  O1: {
    title: 'a pool whose connections all wait for slow statements',
    mustHold:
      'what is not known is refused with 503 within 1 s, what is known is answered; no connection is lost in 10,000 time-outs',
    files: [
      'tooling/faults/src/pool-exhausted/pool-exhausted.test.ts',
      'packages/postgres/src/database/pool-time-outs.test.ts',
    ],
  },
  O2: {
    title: '1,000 clients that sign in at once, again and again',
    mustHold:
      'hashes take no more memory than allowed; reads take 10 ms longer at most (p99); a client for which there is no room is told so within 100 ms (p99)',
    files: ['tooling/faults/src/sign-in-flood/sign-in-flood.test.ts'],
    whyMissed:
      'a queued sign-in waits for 5 s at most and is refused then, and with one hashing thread, 256 places can be more than it hashes in 5 s. The refusals also share the cores with 1,000 clients, the hashing and the database: in one run 1 of 100 was told after 228 ms, in another after 5 s.',
  },
  O3: {
    title: '5,000 connections whose clients are slow on purpose',
    mustHold:
      'a healthy client gets all its answers, at most twice as late (p99); slow headers are cut in 10 s',
    files: ['tooling/faults/src/slow-connections/slow-connections.test.ts'],
    whyMissed:
      'a thousand connections a second are opened, and closed when their time is over. The server is idle most of the time, but its garbage collector stops it for 10 to 50 ms when it moves or frees what thousands of connections hold. A single client on an idle machine never meets that. From run to run one of the three ways, or none, is a millisecond over its bar.',
  },
  O4: {
    title: 'pipelined requests whose answers are read slowly or never',
    mustHold:
      'resident memory grows by 200 MB at most; a healthy client gets all its answers, at most twice as late (p99)',
    files: ['tooling/faults/src/pipelining/pipelining.test.ts'],
  },
  O5: {
    title: 'one network over its sign-in limit, 1,500 clients of it at once',
    mustHold: 'sign-ins from elsewhere: 0 refused',
    files: ['tooling/faults/src/refused-network/refused-network.test.ts'],
  },
  O6: {
    title: 'requests without an account to every path, pipelined on 2,000 connections',
    mustHold:
      'uncached reads and sign-ins of others: 0 refused for want of a connection to the database; the log has every sign-in',
    files: ['tooling/faults/src/anonymous-flood/anonymous-flood.test.ts'],
  },
  S1: {
    title: 'servers restarted one after the other behind haproxy, at 2,000 requests a second',
    mustHold: '0 failed requests; each ends with status 0 within 10 s',
    files: ['tooling/faults/src/drain/rolling-restart.test.ts'],
  },
  C1: {
    title: 'wall clocks five minutes ahead and behind, set back and forth while servers run',
    mustHold:
      'a token ends exactly when it says, by the clock of the server that is asked; a revocation holds after 1 s at the latest',
    files: ['tooling/faults/src/clock/clock.test.ts'],
  },
  F1: {
    title: 'requests generated from the OpenAPI document, right ones and others',
    mustHold:
      'of 1,000,000, none is answered by 5xx, and every answer is as the document says; resident memory +5 % at most',
    files: ['tooling/faults/src/fuzz/fuzz.test.ts'],
  },
  R7: {
    title: 'commands killed at any point',
    mustHold:
      'after each of 200 kills the change is done or not done, the audit log says the same, what was printed is true, and the command can be run again',
    files: ['apps/cli/src/killed.test.ts'],
  },
  R8: {
    title: "PostgreSQL's notification queue is broken, so that no server can listen",
    mustHold:
      'at half of what the servers can answer uncached, 0 requests refused, and no token accepted later than 1 s after its revocation was acknowledged; the servers repair the queue once it can be repaired, and doctor names the statement',
    files: ['tooling/faults/src/notification-queue/notification-queue.test.ts'],
  },
  W1: {
    title: 'tokens made, rotated and used while something ends them; rehashes and new passwords',
    mustHold:
      'in 1,000 forced interleavings each, no token outlives what ended it and no password comes back',
    files: [
      'packages/postgres/src/tokens/token-races.test.ts',
      'packages/postgres/src/tokens/rotation-races.test.ts',
      'packages/postgres/src/users/user-races.test.ts',
    ],
  },
  Q17: {
    title: 'who is behind a token, in caches that have no room for all (requirement 17 of docs/security.md)',
    mustHold: '100,000 tokens, none confused',
    files: ['packages/cache/src/identities.test.ts'],
  },
  Q18: {
    title: 'a flood of distinct garbage tokens (requirement 18)',
    mustHold: 'all refused, 0 reads of the database; a million of them leave no memory behind',
    files: ['apps/server/src/security/token-flood.test.ts', 'packages/cache/src/memory.test.ts'],
    only: 'garbage',
  },
  Q25: {
    title: 'how long a refused sign-in takes, by why it was refused (requirement 25)',
    mustHold:
      '10,000 interleaved rounds: medians within 1 %; from the time alone nobody guesses the reason better than AUC 0.55 (0.5 is blind)',
    files: ['apps/server/src/security/sign-in-time.test.ts'],
  },
  Q36: {
    title: 'requests that could be taken for two, directly and behind haproxy (requirement 36)',
    mustHold: 'N requests, N answers in order, none to somebody else',
    files: ['tooling/faults/src/framing/framing.test.ts'],
  },
  Q39: {
    title: 'tokens and passwords wherever a request can hold them (requirement 39)',
    mustHold: 'the logs of 10,000 requests have none of them, and have every outcome',
    files: ['apps/server/src/security/logs.test.ts'],
  },
  Q40: {
    title: 'requests that come drop by drop (requirement 40)',
    mustHold: 'slow headers closed within 10 s, slow bodies within 15 s',
    files: ['apps/server/src/security/slowness.test.ts'],
  },
};
