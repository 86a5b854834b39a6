// Several verifiers in one process. Each checks a token that stays good all the time, and another one until it is revoked.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { TokenId } from '@gatehouse/domain/tokens';
import { createVerifier, type Verifier } from '@gatehouse/verifier';
import { steadyTime } from '../../revocation/steady-time.ts';
import { askAbout } from '../ask-about.ts';
import type { VerifiersOrder, VerifiersPlan, VerifiersReport } from './messages.ts';

const {
  urls,
  credential,
  scope,
  steady,
  verifiers: count,
}: VerifiersPlan = JSON.parse(process.argv[2] ?? '');
const wanted = { scope };
/** How often every verifier checks the revoked token, which is how exactly an acceptance is dated. */
const CHECK_EVERY_MS = 4;
/** How often it checks the token that stays good. */
const STEADY_EVERY_MS = 10;

const tell = (report: VerifiersReport) => process.send?.(report);

const OLDEST_MS = 2_000;
const counts = { checks: 0, undecided: 0, ages: new Array<number>(OLDEST_MS + 1).fill(0) };

const LATE_RESOLUTION_MS = 10;
const late = monitorEventLoopDelay({ resolution: LATE_RESOLUTION_MS });
late.enable();

const verifiers = Array.from({ length: count }, (_, index) =>
  createVerifier({ url: urls[index % urls.length] as string, credential }),
);
/** The verifiers that ask about the steady token now. */
const asking = new Set<Verifier>();

function checkSteady(verifier: Verifier): void {
  const age = Math.min(OLDEST_MS, Math.floor(verifier.state().ageMs ?? OLDEST_MS));
  counts.ages[age] = (counts.ages[age] ?? 0) + 1;
  counts.checks += 1;
  if (verifier.verifyNow(steady, wanted)) return;
  counts.undecided += 1;
  if (asking.has(verifier)) return;
  asking.add(verifier);
  void verifier.verify(steady, wanted).finally(() => asking.delete(verifier));
}

/** Checks a token until it is refused, and returns the time of the last acceptance. */
async function lastAcceptance(verifier: Verifier, token: string): Promise<number> {
  let last = Number.NEGATIVE_INFINITY;
  for (;;) {
    const verdict = verifier.verifyNow(token, wanted) ?? (await verifier.verify(token, wanted));
    if (verdict.ok) last = steadyTime();
    else if (verdict.status === 401) return last;
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  }
}

async function watch(id: TokenId, token: string): Promise<void> {
  await Promise.all(verifiers.map((verifier) => askAbout(verifier, [token], wanted)));
  const all = Promise.all(verifiers.map((verifier) => lastAcceptance(verifier, token)));
  tell({ ready: id });
  tell({ refused: id, last: Math.max(...(await all)) });
}

process.on('message', (order: VerifiersOrder) => {
  if ('watch' in order) return void watch(order.watch, order.token);
  tell({ counts: { ...counts, timersLateMs: late.percentile(99) / 1e6 - LATE_RESOLUTION_MS } });
  late.reset();
  Object.assign(counts, { checks: 0, undecided: 0 });
  counts.ages.fill(0);
});
process.on('disconnect', () => process.exit());

await Promise.all(verifiers.map((verifier) => askAbout(verifier, [steady], wanted)));
setInterval(() => verifiers.forEach(checkSteady), STEADY_EVERY_MS);
tell({ ready: 'steady' });
