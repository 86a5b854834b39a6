import { setTimeout as delay } from 'node:timers/promises';
import type { Verifier, Wanted } from '@gatehouse/verifier';

/** How many questions are under way. */
const AT_ONCE = 16;
/** How often a token is asked for before the benchmark gives up. */
const TRIES = 1000;

/** Asks about tokens until the verifier remembers all of them. Rejects if one of them is refused. */
export async function askAbout(verifier: Verifier, tokens: readonly string[], wanted: Wanted): Promise<void> {
  const left = tokens.values();
  const askers = Array.from({ length: AT_ONCE }, async () => {
    for (const token of left) await askUntilKnown(verifier, token, wanted);
  });
  await Promise.all(askers);
}

async function askUntilKnown(verifier: Verifier, token: string, wanted: Wanted): Promise<void> {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const known = verifier.verifyNow(token, wanted);
    if (known?.ok) return;
    const verdict = known ?? (await verifier.verify(token, wanted));
    if (!verdict.ok && verdict.status !== 503) throw new Error(`a good token was refused: ${verdict.reason}`);
    // The first stream has not proved anything yet, or Gatehouse is busy.
    if (!verdict.ok || !verifier.verifyNow(token, wanted)) await delay(20);
  }
  throw new Error('the verifier does not remember a token that it asked about');
}
