// Several verifiers in one process. Each checks a token that stays good all the time, and another one until it is revoked.
import type { TokenId } from '@gatehouse/domain/tokens';
import { createVerifier, type Verifier } from '@gatehouse/verifier';
import { steadyTime } from '../../revocation/steady-time.ts';
import { askAbout } from '../ask-about.ts';
import type { VerifiersOrder, VerifiersPlan, VerifiersReport } from './messages.ts';

const { urls, credential, scope, steady, maxStalenessMs }: VerifiersPlan = JSON.parse(process.argv[2] ?? '');
const wanted = { scope };
/** How often every verifier checks, which is also how exactly an acceptance is dated. */
const CHECK_EVERY_MS = 2;

const tell = (report: VerifiersReport) => process.send?.(report);

interface Member {
  readonly verifier: Verifier;
  checks: number;
  undecided: number;
  isAsking: boolean;
}

const members: readonly Member[] = maxStalenessMs.map((each, index) => ({
  verifier: createVerifier({ url: urls[index % urls.length] as string, credential, maxStalenessMs: each }),
  checks: 0,
  undecided: 0,
  isAsking: false,
}));

function checkSteady(member: Member): void {
  const { verifier } = member;
  member.checks += 1;
  if (verifier.verifyNow(steady, wanted)) return;
  member.undecided += 1;
  if (member.isAsking) return;
  member.isAsking = true;
  void verifier.verify(steady, wanted).finally(() => {
    member.isAsking = false;
  });
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
  await Promise.all(members.map(({ verifier }) => askAbout(verifier, [token], wanted)));
  const all = Promise.all(members.map(({ verifier }) => lastAcceptance(verifier, token)));
  tell({ ready: id });
  tell({ refused: id, last: Math.max(...(await all)) });
}

process.on('message', (order: VerifiersOrder) => {
  if ('watch' in order) return void watch(order.watch, order.token);
  tell({ counts: members.map(({ checks, undecided }) => ({ checks, undecided })) });
  for (const member of members) Object.assign(member, { checks: 0, undecided: 0 });
});
process.on('disconnect', () => process.exit());

await Promise.all(members.map(({ verifier }) => askAbout(verifier, [steady], wanted)));
setInterval(() => members.forEach(checkSteady), CHECK_EVERY_MS);
tell({ ready: 'steady' });
