/** A fault under which the project is tested. */
export interface Fault {
  readonly title: string;
  readonly mustHold: string;
  /** The test files, from the root of the repository; their sabotage twins are in them. */
  readonly files: readonly string[];
  /** A regular expression for the names of its tests in those files. Default: all tests. */
  readonly only?: string;
  /** Why a limit was missed; continues the sentence "Missed because". */
  readonly whyMissed?: string;
}

/** Every fault, in the order in which they are run and reported. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  R1: {
    title: 'tokens revoked on warm nodes under load',
    mustHold: 'last acceptance after the acknowledgement: p50 ≤ 50 ms, p99 ≤ 250 ms, none after 1 s',
    files: ['apps/server/src/coherence/revocation.test.ts'],
    only: 'under load',
  },
  R2: {
    title: 'the listening session is terminated, again and again',
    mustHold: 'nothing accepted later than 1 s after the acknowledgement',
    files: ['apps/server/src/coherence/revocation.test.ts'],
    only: 'listening sessions',
  },
  R3: {
    title:
      'the listening connection falls silent, or leads to a pooler, another database or a standby; the pool leads to a standby',
    mustHold:
      'nothing accepted later than 1 s after the acknowledgement; a feed that leads elsewhere is never trusted; with all servers degraded, at half of their uncached throughput, 0 requests refused',
    files: [
      'apps/server/src/coherence/outages.test.ts',
      'tooling/lab/faults/src/degraded/all-degraded.test.ts',
      'tooling/lab/faults/src/listening-elsewhere/listening-elsewhere.test.ts',
      'tooling/lab/faults/src/listening-elsewhere/pool-on-standby.test.ts',
      'packages/postgres/src/changes/change-feed-connection.test.ts',
      'packages/postgres/src/changes/change-feed-pooler.test.ts',
    ],
    only: 'while the pool goes on|because the database falls silent|takes degraded servers out|connection that leads|pool that leads|trusts every|to another database|behind PgBouncer',
  },
  R4: {
    title: 'the database cannot be reached, or falls silent',
    mustHold:
      'cached data is served for 1 s at most; after that every response is 503, never 401 or 200; servers recover by themselves; if only listening fails, on all servers, at half of their uncached throughput, 0 requests refused',
    files: [
      'apps/server/src/coherence/outages.test.ts',
      'tooling/lab/faults/src/degraded/all-degraded.test.ts',
    ],
    only: 'database that cannot be reached|because the database cannot be reached|takes degraded servers out',
  },
  R5: {
    title: 'data changes, or the feed is lost, while a cache reads it; shared reads',
    mustHold: 'in 100,000 forced interleavings, nothing outdated is cached or used',
    files: ['packages/cache/src/interleavings.test.ts'],
  },
  R6: {
    title: '100,000 changes at once, and TRUNCATE',
    mustHold: 'every cached entry is dropped: no token is accepted a second later',
    files: [
      'apps/server/src/coherence/many-changes.test.ts',
      'packages/postgres/src/changes/change-triggers.test.ts',
    ],
    only: 'very many changes|hundred thousand',
  },
  D1: {
    title: 'PostgreSQL killed by SIGKILL under load, again and again',
    mustHold:
      'nothing acknowledged is lost, no response is wrong; servers keep running, and answer at most 2 s after PostgreSQL',
    files: ['tooling/lab/faults/src/database-killed/database-killed.test.ts'],
  },
  D2: {
    title: 'a server killed by SIGKILL under load, again and again',
    mustHold:
      'nothing acknowledged is lost, no response is wrong; last uses are at most a second behind, and never go back or ahead of time',
    files: ['tooling/lab/faults/src/node-killed/node-killed.test.ts'],
  },
  D3: {
    title: 'a full disk of PostgreSQL: of its data, and of its write-ahead log',
    mustHold:
      'changes and sign-ins are refused; reads are not, while PostgreSQL runs; nothing is acknowledged that was not done; when the disk has room again, everything works',
    files: ['tooling/lab/faults/src/disk-full/disk-full.test.ts'],
  },
  D4: {
    title:
      'the primary of a replicated PostgreSQL killed at 1,000 requests a second, and its standby promoted, again and again',
    mustHold:
      'with a synchronous standby nothing acknowledged is lost, no response is wrong, no revoked token accepted later than 1 s after the acknowledgement; known facts are answered for up to 1 s longer; everything works again within 2 s of the new primary, and no server is restarted',
    files: ['tooling/lab/faults/src/failover/failover.test.ts'],
  },
  D5: {
    title:
      'an old primary that goes on running, and to which open connections lead, after its standby was promoted',
    mustHold:
      'no token accepted later than 1 s after its revocation was acknowledged by the new primary; servers keep no connection to the old one',
    files: ['tooling/lab/faults/src/failover/old-primary.test.ts'],
  },
  D6: {
    title: 'another value of every setting that a role or a database can have',
    mustHold:
      'migrating, signing in, doctor, the verification of the audit log and its export are the same, or a line names the setting',
    files: ['tooling/lab/faults/src/database-settings/database-settings.test.ts'],
  },
  O1: {
    title: 'all connections of the pool wait for slow statements',
    mustHold:
      'requests that need the database get 503 within 1 s, requests answered from memory succeed; no connection is lost in 10,000 time-outs',
    files: [
      'tooling/lab/faults/src/pool-exhausted/pool-exhausted.test.ts',
      'packages/postgres/src/database/pool/pool-time-outs.test.ts',
    ],
  },
  O2: {
    title: '1,000 clients that sign in at once, again and again',
    mustHold:
      'hashes take no more memory than allowed; reads take at most 10 ms longer (p99); a client is refused for a full queue within 100 ms (p99)',
    files: ['tooling/lab/faults/src/sign-in-flood/sign-in-flood.test.ts'],
    whyMissed:
      'all clients ask at one moment, of a server that has just been started. Some 740 of the 15,000 refusals are of that moment, so 1 of 100 is among them, and the server needs a third of a second of a core that it shares with the clients, the hashing and the database. Of the refusals after the first second, 99 of 100 arrive within 13 ms.',
  },
  O3: {
    title: '5,000 connections of deliberately slow clients',
    mustHold:
      'a healthy client gets all its responses, at most twice as late (p99); slow headers are cut off within 10 s',
    files: ['tooling/lab/faults/src/slow-connections/slow-connections.test.ts'],
    whyMissed:
      'a thousand connections a second are opened, and closed when their time limit is over. The server is idle most of the time, but its garbage collector pauses it for 10 to 50 ms when it moves or frees the memory of thousands of connections. A single client on an idle machine never meets that. In some runs one of the three ways is a millisecond over its limit.',
  },
  O4: {
    title: 'pipelined requests whose responses are read slowly or never',
    mustHold:
      'resident memory grows by at most 200 MB; a healthy client gets all its responses, at most twice as late (p99)',
    files: ['tooling/lab/faults/src/pipelining/pipelining.test.ts'],
  },
  O5: {
    title: '1,500 clients at once of one network over its sign-in limit',
    mustHold: 'sign-ins from elsewhere: 0 refused',
    files: ['tooling/lab/faults/src/refused-network/refused-network.test.ts'],
  },
  O6: {
    title: 'requests without a token to every path, pipelined on 2,000 connections',
    mustHold:
      'uncached reads and sign-ins of others: 0 refused for want of a connection to the database; the log has every sign-in',
    files: ['tooling/lab/faults/src/anonymous-flood/anonymous-flood.test.ts'],
  },
  E1: {
    title:
      'an extension whose operations throw, never settle, wait for slow statements or keep connections, or whose migration fails half-way',
    mustHold:
      'all other requests are answered, also those that need the database; it holds at most 3 connections of a server, and loses those that it forgets; its requests get 500 or 503; a migration is applied or not; doctor names the extension, and the same server serves it once it is mended',
    files: ['tooling/lab/faults/src/extension-faults/extension-faults.test.ts'],
  },
  E2: {
    title: 'an extension writes 200 rows a second, at times all of its rows at once',
    mustHold:
      'no server reads again what it has in memory; revocations take effect as in R1: p50 ≤ 50 ms, p99 ≤ 250 ms, none after 1 s',
    files: ['apps/server/src/extensions/busy-extension.test.ts'],
  },
  S1: {
    title: 'servers restarted one after the other behind haproxy, at 2,000 requests a second',
    mustHold: '0 failed requests; each ends with status 0 within 10 s',
    files: ['tooling/lab/faults/src/drain/rolling-restart.test.ts'],
  },
  C1: {
    title: 'wall clocks five minutes fast and slow, set back and forth while servers run',
    mustHold:
      'a token expires exactly at its expiry, by the clock of the server that receives the request; a revocation takes effect within 1 s',
    files: ['tooling/lab/faults/src/clock/clock.test.ts'],
  },
  P1: {
    title: '1,000 posts of one form at once, to 3 servers of 2 workers without stickiness; forged forms',
    mustHold:
      'the form is done once, and its token shown once; forged cookies, origins and form tokens are refused',
    files: ['tooling/lab/faults/src/pages/pages.test.ts'],
  },
  F1: {
    title: 'valid and invalid requests generated from the OpenAPI document',
    mustHold:
      'of 1,000,000, none gets a 5xx, and every response matches the document; resident memory grows by at most 5 %',
    files: ['tooling/lab/faults/src/fuzz/fuzz.test.ts'],
  },
  R7: {
    title: 'commands killed at any point',
    mustHold:
      'after each of 200 kills the change is done or not done, the audit log agrees, the output is true, and the command can be run again',
    files: ['apps/cli/src/killed.test.ts'],
  },
  R8: {
    title: "PostgreSQL's notification queue is broken, so that no server can listen",
    mustHold:
      'at half of the uncached throughput of the servers, 0 requests refused, and no token accepted later than 1 s after its revocation was acknowledged; the servers repair the queue as soon as that is possible, and doctor names the statement',
    files: ['tooling/lab/faults/src/notification-queue/notification-queue.test.ts'],
  },
  R9: {
    title: 'a session holds all locks that PostgreSQL has room for',
    mustHold: 'requests answered from memory succeed; the others succeed again afterwards',
    files: ['tooling/lab/faults/src/full-lock-table/full-lock-table.test.ts'],
  },
  W1: {
    title: 'tokens created, rotated and used while another transaction ends them; rehashes and new passwords',
    mustHold:
      'in 1,000 forced interleavings each, no token stays valid after what ended it, and no old password works again',
    files: [
      'packages/postgres/src/tokens/token-races.test.ts',
      'packages/postgres/src/tokens/rotation-races.test.ts',
      'packages/postgres/src/users/user-races.test.ts',
    ],
  },
  A1: {
    title:
      'the audit log is changed by a role with all rights in the database, and followed while many write',
    mustHold:
      'every event that was changed, removed or inserted since it was sealed is named, and a seal made without the key; an export that follows loses and repeats nothing, however late a transaction is committed; servers seal by themselves within 12 s',
    files: ['tooling/lab/faults/src/audit-log/audit-log.test.ts'],
  },
  Q17: {
    title:
      'the user of a token, with caches smaller than the number of tokens (requirement 17 of docs/develop/security.md)',
    mustHold: '100,000 tokens, none confused',
    files: ['packages/cache/src/identities.test.ts'],
  },
  Q18: {
    title: 'a flood of distinct garbage tokens (requirement 18)',
    mustHold: 'all refused, 0 database reads; a million of them leave nothing in memory',
    files: ['apps/server/src/security/token-flood.test.ts', 'packages/cache/src/memory.test.ts'],
    only: 'garbage',
  },
  Q25: {
    title: 'how long a refused sign-in takes, by the reason of the refusal (requirement 25)',
    mustHold:
      '10,000 interleaved rounds: medians within 1 %; the time alone predicts the reason with an AUC of at most 0.55 (0.5 is chance)',
    files: ['apps/server/src/security/sign-in-time.test.ts'],
  },
  Q36: {
    title: 'requests that could be parsed as two, directly and behind haproxy (requirement 36)',
    mustHold: 'N requests, N responses in order, none to another client',
    files: ['tooling/lab/faults/src/framing/framing.test.ts'],
  },
  Q39: {
    title: 'tokens and passwords in every part of a request (requirement 39)',
    mustHold: 'the logs of 10,000 requests contain none of them, and every outcome',
    files: ['apps/server/src/security/logs.test.ts'],
  },
  Q40: {
    title: 'requests that arrive byte by byte (requirement 40)',
    mustHold: 'slow headers closed within 10 s, slow bodies within 15 s',
    files: ['apps/server/src/security/slowness.test.ts'],
  },
};
