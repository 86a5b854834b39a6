import { VERIFIER_FAULTS } from './verifier/faults.ts';

/** A fault under which the project is tested. */
export interface Fault {
  readonly title: string;
  readonly mustHold: string;
  /** The test files, from the root of the repository; their sabotage twins are in them. */
  readonly files: readonly string[];
  /** A regular expression for the names of its tests in those files. Default: all tests. */
  readonly only?: string;
  /** Why a limit was missed; continues the sentence "A limit was missed because". */
  readonly whyMissed?: string;
}

/** Every fault, in the order in which they are run and reported. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  R1: {
    title: 'tokens are revoked while servers that know them are under load',
    mustHold:
      'The last acceptance after the acknowledgement of a revocation comes within 50 ms in half of the cases (p50), within 250 ms in 99 of 100 (p99), and never after 1 s.',
    files: ['apps/server/src/coherence/revocation.test.ts'],
    only: 'under load',
  },
  R2: {
    title: 'the connection that listens for changes is terminated, again and again',
    mustHold: 'No token is accepted later than 1 s after the acknowledgement of its revocation.',
    files: ['apps/server/src/coherence/revocation.test.ts'],
    only: 'listening sessions',
  },
  R3: {
    title:
      'the connection that listens for changes falls silent or leads elsewhere: to a pooler, to another database or to a standby; or the pool leads to a standby',
    mustHold:
      'No token is accepted later than 1 s after the acknowledgement of its revocation. A server never trusts a listening connection that leads elsewhere. While all servers are degraded, no request is refused at half of the load that they can serve without caches.',
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
      'Servers answer from memory for at most 1 s. After that, every response is 503, never 401 or 200. Servers recover by themselves. If only listening fails on all servers, no request is refused at half of the load that they can serve without caches.',
    files: [
      'apps/server/src/coherence/outages.test.ts',
      'tooling/lab/faults/src/degraded/all-degraded.test.ts',
    ],
    only: 'database that cannot be reached|because the database cannot be reached|takes degraded servers out',
  },
  R5: {
    title:
      'data changes while a cache reads it, or the notifications of changes are lost; several requests share a read',
    mustHold: 'In 100,000 forced interleavings, a cache neither stores nor returns outdated data.',
    files: ['packages/cache/src/interleavings.test.ts'],
  },
  R6: {
    title: '100,000 rows change at once, or TRUNCATE removes all',
    mustHold: 'Every cached entry is dropped: no token is accepted a second later.',
    files: [
      'apps/server/src/coherence/many-changes.test.ts',
      'packages/postgres/src/changes/change-triggers.test.ts',
    ],
    only: 'very many changes|hundred thousand',
  },
  D1: {
    title: 'PostgreSQL is killed by SIGKILL under load, again and again',
    mustHold:
      'No acknowledged change is lost, and no response is wrong. Servers keep running, and respond at most 2 s after PostgreSQL does.',
    files: ['tooling/lab/faults/src/database-killed/database-killed.test.ts'],
  },
  D2: {
    title: 'a server is killed by SIGKILL under load, again and again',
    mustHold:
      'No acknowledged change is lost, and no response is wrong. Stored times of last use are at most a second behind. They never go back, and are never ahead of time.',
    files: ['tooling/lab/faults/src/node-killed/node-killed.test.ts'],
  },
  D3: {
    title: 'the disk of PostgreSQL is full: the disk of its data, or of its write-ahead log',
    mustHold:
      'Changes and sign-ins are refused. Reads are not refused while PostgreSQL runs. Nothing is acknowledged that was not done. When the disk has room again, everything works.',
    files: ['tooling/lab/faults/src/disk-full/disk-full.test.ts'],
  },
  D4: {
    title:
      'the primary of a replicated PostgreSQL is killed at 1,000 requests a second, and its standby promoted, again and again',
    mustHold:
      'With a synchronous standby, no acknowledged change is lost, no response is wrong, and no token is accepted later than 1 s after the acknowledgement of its revocation. Servers answer from memory for at most 1 s. Everything works again within 2 s after the new primary, and no server is restarted.',
    files: ['tooling/lab/faults/src/failover/failover.test.ts'],
  },
  D5: {
    title: 'an old primary goes on running after its standby was promoted, and open connections lead to it',
    mustHold:
      'No token is accepted later than 1 s after the new primary acknowledged its revocation. Servers keep no connection to the old primary.',
    files: ['tooling/lab/faults/src/failover/old-primary.test.ts'],
  },
  D6: {
    title: 'a role or a database has another value of a setting, for every setting',
    mustHold:
      'Migrations, sign-ins, doctor, and the verification and export of the audit log work as before, or a line names the setting.',
    files: ['tooling/lab/faults/src/database-settings/database-settings.test.ts'],
  },
  D7: {
    title:
      'the leader of a PostgreSQL under Patroni and etcd, behind haproxy, is killed again and again: its whole member, or PostgreSQL alone',
    mustHold:
      'No acknowledged change is lost, no response is wrong, and no token is accepted later than 1 s after the acknowledgement of its revocation. Servers answer from memory for at most 1 s. Everything works again within 2 s after the first answer of the new primary, and no server is restarted. How long Patroni takes to appoint the new primary is its setting, and has no limit.',
    files: ['tooling/lab/faults/src/patroni/leader-killed.test.ts'],
    whyMissed:
      'Patroni appointed a new primary while its only standby had to be rewound or started anew, and until then nothing is acknowledged: in 2 of 60 failovers.',
  },
  D8: {
    title:
      'the leader of a PostgreSQL under Patroni is cut off from etcd, the other members and haproxy’s checks, or its Patroni stops while PostgreSQL goes on; clients still reach it',
    mustHold:
      'No acknowledged change is lost, and no token is accepted later than 1 s after the new primary acknowledged its revocation.',
    files: ['tooling/lab/faults/src/patroni/leader-cut-off.test.ts'],
  },
  O1: {
    title: 'all connections of the pool wait for slow statements',
    mustHold:
      'Requests that need the database get 503 within 1 s. Requests that are answered from memory succeed. No connection is lost in 10,000 time-outs.',
    files: [
      'tooling/lab/faults/src/pool-exhausted/pool-exhausted.test.ts',
      'packages/postgres/src/database/pool/pool-time-outs.test.ts',
    ],
  },
  O2: {
    title: '1,000 clients sign in at once, again and again',
    mustHold:
      'Hashes take no more memory than allowed. Reads take at most 10 ms longer (p99). If the queue is full, a client is refused within 100 ms (p99).',
    files: ['tooling/lab/faults/src/sign-in-flood/sign-in-flood.test.ts'],
    whyMissed:
      'all clients send their first sign-in at one moment, to a server that has just been started. The server needs a third of a second of CPU for these sign-ins, and shares its core with the clients, the hashing and the database. Some 740 of the 15,000 refusals belong to that moment, so the p99 shows one of them. Of the refusals after the first second, 99 of 100 arrive within 13 ms.',
  },
  O3: {
    title: '5,000 clients send deliberately slowly',
    mustHold:
      'A healthy client gets all its responses, at most twice as late as without the slow clients (p99). Connections with slow headers are closed within 10 s.',
    files: ['tooling/lab/faults/src/slow-connections/slow-connections.test.ts'],
    whyMissed:
      'slow clients open a thousand connections a second, and the server closes each of them at its time limit. The garbage collector pauses the server for 10 to 50 ms when it moves or frees the memory of thousands of connections. The compared client, alone on an idle server, never waits for such a pause. In some runs, one of the three kinds of slow clients delays responses a millisecond more than its limit.',
  },
  O4: {
    title: 'clients pipeline requests, and read the responses slowly or never',
    mustHold:
      'Resident memory grows by at most 200 MB. A healthy client gets all its responses, at most twice as late as without these clients (p99).',
    files: ['tooling/lab/faults/src/pipelining/pipelining.test.ts'],
  },
  O5: {
    title: '1,500 clients of one network sign in at once, over the limit of that network',
    mustHold: 'No sign-in from another network is refused.',
    files: ['tooling/lab/faults/src/refused-network/refused-network.test.ts'],
  },
  O6: {
    title: '2,000 connections send pipelined requests without a token to every path',
    mustHold:
      'No read and no sign-in of other clients is refused for lack of a database connection. The log has every sign-in.',
    files: ['tooling/lab/faults/src/anonymous-flood/anonymous-flood.test.ts'],
  },
  E1: {
    title:
      'operations of an extension throw, never settle, wait for slow statements or keep connections, or its migration fails half-way',
    mustHold:
      'All other requests are answered, also those that need the database. The extension holds at most 3 connections of a server, and loses connections that it forgets. Its requests get 500 or 503. A migration is applied completely or not at all. doctor names the extension, and the same server serves it once it is corrected.',
    files: ['tooling/lab/faults/src/extension-faults/extension-faults.test.ts'],
  },
  E2: {
    title: 'an extension writes 200 rows a second, at times all of its rows at once',
    mustHold:
      'No server reads again what it has in memory. Revocations take effect as in R1: within 50 ms (p50), within 250 ms (p99), and never after 1 s.',
    files: ['apps/server/src/extensions/busy-extension.test.ts'],
  },
  E3: {
    title:
      'a reaction of an extension throws, never settles or causes 200 events for each; its guard forbids, throws or hangs; its server is killed',
    mustHold:
      'No other reaction and no request waits for it, and revocations take effect within 1 s. Each event is handled at least once, and in order within an account. A guard that fails changes nothing.',
    files: ['tooling/lab/faults/src/extension-reactions/extension-reactions.test.ts'],
  },
  N1: {
    title:
      'the server that runs a reaction to audit events is killed between the commit of an event and its handler, and between the handler and its record; the servers are restarted; the database fails over',
    mustHold:
      'Of 10,000 events, none that was committed is lost, none is handled after a later event of its account, and none that was rolled back is handled. While nothing fails, each is handled once.',
    files: ['tooling/lab/faults/src/reactions/reactions.test.ts'],
  },
  S1: {
    title: 'servers are restarted one after the other behind haproxy, at 2,000 requests a second',
    mustHold: 'No request fails. Each server ends with status 0 within 10 s.',
    files: ['tooling/lab/faults/src/drain/rolling-restart.test.ts'],
  },
  S2: {
    title: 'servers of two editions serve one database during an upgrade',
    mustHold:
      'No networks of a token and no rules are set until the last server of the older edition has ended. Requests are answered by both.',
    files: ['tooling/lab/faults/src/rolling-upgrade/token-networks.test.ts'],
  },
  U1: {
    title: 'an installation of the version before, with an extension, is upgraded under load',
    mustHold:
      'No request fails while migrations run. Both versions accept the same tokens, and each refuses a token that the other revoked within 1 s. Sessions, passwords, the audit log and what the extension stored are kept.',
    files: ['tooling/checks/src/upgrade/upgrade.test.ts'],
  },
  C1: {
    title: 'clocks are five minutes fast or slow, and are set back and forth while servers run',
    mustHold:
      'A token expires exactly at its time of expiry, by the clock of the server that receives the request. A revocation takes effect within 1 s.',
    files: ['tooling/lab/faults/src/clock/clock.test.ts'],
  },
  P1: {
    title:
      'one form is posted 1,000 times at once, to 3 servers of 2 workers without stickiness; forms are forged',
    mustHold:
      'The form is done once, and its token is shown once. Forged cookies, origins and form tokens are refused.',
    files: ['tooling/lab/faults/src/pages/pages.test.ts'],
  },
  F1: {
    title: 'valid and invalid requests are generated from the OpenAPI document',
    mustHold:
      'Of 1,000,000 requests, none gets a 5xx, and every response matches the document. Resident memory grows by at most 5 %.',
    files: ['tooling/lab/faults/src/fuzz/fuzz.test.ts'],
  },
  R7: {
    title: 'commands are killed at any point',
    mustHold:
      'After each of 200 kills, the change is done or not done, and the audit log agrees. The output of the command is true, and the command can be run again.',
    files: ['apps/cli/src/killed.test.ts'],
  },
  R8: {
    title: "PostgreSQL's notification queue is broken, so that no server can listen",
    mustHold:
      'At half of the load that servers can serve without caches, no request is refused. No token is accepted later than 1 s after the acknowledgement of its revocation. Servers repair the queue as soon as that is possible, and doctor names the statement that repairs it.',
    files: ['tooling/lab/faults/src/notification-queue/notification-queue.test.ts'],
  },
  R9: {
    title: 'a session holds all locks that PostgreSQL has room for',
    mustHold:
      'Requests that are answered from memory succeed. The others succeed again when the session ends.',
    files: ['tooling/lab/faults/src/full-lock-table/full-lock-table.test.ts'],
  },
  W1: {
    title:
      'tokens are created, rotated and used while another transaction ends them; passwords are changed and hashed again',
    mustHold:
      'In 1,000 forced interleavings of the transactions, no token stays valid after the change that ended it, and no old password works again.',
    files: [
      'packages/postgres/src/tokens/token-races.test.ts',
      'packages/postgres/src/tokens/rotation-races.test.ts',
      'packages/postgres/src/users/user-races.test.ts',
    ],
  },
  A1: {
    title:
      'a role with all rights in the database changes the audit log; an export follows the log while many clients write',
    mustHold:
      'audit verify names every event that was changed, removed or inserted after it was sealed, and every seal made without the key. An export loses and repeats nothing, however late a transaction is committed. Servers seal by themselves within 12 s.',
    files: ['tooling/lab/faults/src/audit-log/audit-log.test.ts'],
  },
  I1: {
    title:
      'a server is killed while people are at their identity provider; the provider demotes a person, and ends a session at another server',
    mustHold:
      'Any other server completes the sign-in, once. A demoted person’s tokens have the rights of a member, and a session that the provider ended is refused, within 1 s on every server.',
    files: [
      'tooling/lab/faults/src/identity-provider/two-servers.test.ts',
      'tooling/lab/faults/src/identity-provider/attacks.test.ts',
    ],
  },
  ...VERIFIER_FAULTS,
  Q17: {
    title: 'caches are smaller than the number of tokens (requirement 17 of docs/develop/security.md)',
    mustHold: 'The user of none of 100,000 tokens is confused with another.',
    files: ['packages/cache/src/identities.test.ts'],
  },
  Q18: {
    title: 'a flood of distinct invalid tokens (requirement 18)',
    mustHold:
      'All invalid tokens are refused without a read of the database. A million of them leave nothing in memory.',
    files: ['apps/server/src/security/token-flood.test.ts', 'packages/cache/src/memory.test.ts'],
    only: 'garbage',
  },
  Q25: {
    title: 'sign-ins are refused for different reasons, and the times are compared (requirement 25)',
    mustHold:
      'In 10,000 interleaved rounds, the median times differ by at most 1 %. From the time alone, the reason can be guessed with an AUC of at most 0.55 (0.5 is chance).',
    files: ['apps/server/src/security/sign-in-time.test.ts'],
  },
  Q36: {
    title: 'requests can be parsed as two, directly and behind haproxy (requirement 36)',
    mustHold: 'N requests get N responses in order, and none goes to another client.',
    files: ['tooling/lab/faults/src/framing/framing.test.ts'],
  },
  Q39: {
    title: 'every part of a request has tokens and passwords (requirement 39)',
    mustHold: 'The logs of 10,000 requests contain no token and no password, and every outcome of a sign-in.',
    files: ['apps/server/src/security/logs.test.ts'],
  },
  Q40: {
    title: 'requests arrive byte by byte (requirement 40)',
    mustHold:
      'Connections with slow headers are closed within 10 s, and connections with slow bodies within 15 s.',
    files: ['apps/server/src/security/slowness.test.ts'],
  },
};
