import type { Fault } from '../faults.ts';

const MUST =
  'No token is accepted later than 1 s after the acknowledgement of its revocation, and no valid token is refused. After the fault, the verifier decides from memory again.';

/** The faults of services that verify tokens themselves. */
export const VERIFIER_FAULTS: Readonly<Record<string, Fault>> = {
  V1: {
    title: 'the server that a verifier follows is killed while a question of the verifier is under way',
    mustHold: MUST,
    files: ['tooling/lab/faults/src/verifier/server-killed.test.ts'],
  },
  V2: {
    title: 'the only server that a verifier can reach is stopped for 5 s by SIGSTOP',
    mustHold: MUST,
    files: ['tooling/lab/faults/src/verifier/frozen-server.test.ts'],
  },
  V3: {
    title:
      'the process of a verifier is stopped by SIGSTOP, with and without its monotonic clock, and its stream falls silent meanwhile',
    mustHold: MUST,
    files: ['tooling/lab/faults/src/verifier/frozen-verifier.test.ts'],
  },
  V4: {
    title:
      'a proxy between verifier and server buffers lines, swallows a change, joins two streams, replays one, or cuts them',
    mustHold: MUST,
    files: ['tooling/lab/faults/src/verifier/proxies.test.ts'],
  },
  V5: {
    title:
      'a standby is promoted while the old primary goes on running and answers questions of a verifier, whose stream names the new one meanwhile',
    mustHold: MUST,
    files: ['tooling/lab/faults/src/verifier/old-primary.test.ts'],
  },
  V6: {
    title:
      'the server that a verifier follows loses its change feed; the server that answers its questions hears of changes a second late',
    mustHold: MUST,
    files: ['tooling/lab/faults/src/verifier/feed-lost.test.ts'],
  },
  V7: {
    title:
      'wall clocks of servers and verifiers are set by an hour; the clocks of a verifier are 500 ppm or 5 % fast or slow',
    mustHold: `${MUST} With 5 %, the time may be 0.4 s longer, as ADR 80 says.`,
    files: ['tooling/lab/faults/src/verifier/clocks.test.ts'],
  },
  V8: {
    title:
      'a transfer, a scope, a service, a credential or an account changes between answer and use; servers hear without end that anything may have changed; a server is of an older edition',
    mustHold: MUST.replace('revocation', 'revocation or change'),
    files: [
      'tooling/lab/faults/src/verifier/changes.test.ts',
      'tooling/lab/faults/src/verifier/everything-changes.test.ts',
      'tooling/lab/faults/src/verifier/older-edition.test.ts',
    ],
  },
};
