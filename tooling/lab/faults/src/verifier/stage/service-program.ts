// The process of a service that has the verifier: it decides about the tokens that the test names, again and again.
import { createVerifier } from '@gatehouse/verifier';
import { monotonicMs } from './monotonic.ts';
import { addOutcome, type Run } from './outcomes.ts';
import { createOwnClocks } from './own-clocks.ts';
import type { Report, ServiceOrder } from './service-protocol.ts';

interface Watched {
  readonly token: string;
  readonly scope: string;
  readonly runs: Run[];
  asking: number;
  askedAt: number;
}

const [url = '', credential = ''] = process.argv.slice(2);
/** The time between two requests with the same token, in milliseconds. */
const EVERY_MS = 2;
/** How many requests with the same token may wait for an answer of Gatehouse. */
const MAX_ASKING = 2;
/** The time between two of them, in milliseconds. */
const ASK_EVERY_MS = 10;
/** A decision from memory that took longer was interrupted: the process was stopped after the verifier had decided. */
const INTERRUPTED_MS = 50;

const counts = { questions: 0, streams: 0 };
const clocks = createOwnClocks();
const watched = new Map<string, Watched>();
const verifier = createVerifier(
  { url, credential },
  {
    now: clocks.now,
    fetch(input, init) {
      if (`${input}`.endsWith('/introspect')) counts.questions += 1;
      if (`${input}`.includes('/token-changes')) counts.streams += 1;
      return fetch(input, init);
    },
    after(ms, callback) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  },
);

function decide(one: Watched): void {
  const { token, scope, runs } = one;
  const before = monotonicMs();
  const known = verifier.verifyNow(token, { scope });
  const after = monotonicMs();
  if (known) {
    addOutcome(runs, outcomeOf(known, true), after - before > INTERRUPTED_MS ? before : after);
    return;
  }
  if (one.asking >= MAX_ASKING || before - one.askedAt < ASK_EVERY_MS) return;
  one.asking += 1;
  one.askedAt = before;
  void verifier.verify(token, { scope }).then((verdict) => {
    addOutcome(runs, outcomeOf(verdict, false), monotonicMs());
    one.asking -= 1;
  });
}

function outcomeOf(verdict: Awaited<ReturnType<typeof verifier.verify>>, isKnown: boolean) {
  return verdict.ok
    ? { status: 200, isKnown, user: verdict.caller.user }
    : { status: verdict.status, isKnown, user: undefined };
}

setInterval(() => {
  for (const one of watched.values()) decide(one);
}, EVERY_MS);

process.on('message', (order: ServiceOrder) => {
  switch (order.do) {
    case 'watch':
      watched.set(order.token, { token: order.token, scope: order.scope, runs: [], asking: 0, askedAt: 0 });
      break;
    case 'forget':
      watched.delete(order.token);
      break;
    case 'fail':
      clocks.fail(order.clocks);
      break;
    case 'report': {
      const runs = watched.get(order.token)?.runs ?? [];
      process.send?.({ serial: order.serial, runs, ...counts } satisfies Report);
      break;
    }
  }
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
