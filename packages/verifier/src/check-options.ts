import type { VerifierOptions } from './create-verifier.ts';
import type { Wanted } from './verdict/verdict.ts';

/** The longest time for which Gatehouse lets a revoked token be accepted. */
const LONGEST_STALENESS_MS = 1000;

/** Options with their defaults. @throws TypeError that names the option and its allowed values */
export function checkOptions(options: VerifierOptions) {
  const { whenStale = 'ask', maxStalenessMs = LONGEST_STALENESS_MS } = options;
  const { maxTokens = 100_000, maxQuestions = 64 } = options;
  if (whenStale !== 'ask' && whenStale !== 'refuse')
    throw new TypeError("whenStale must be 'ask' or 'refuse'");
  if (!(maxStalenessMs > 0 && maxStalenessMs <= LONGEST_STALENESS_MS))
    throw new TypeError(`maxStalenessMs must be more than 0 and at most ${LONGEST_STALENESS_MS}`);
  for (const [name, value] of Object.entries({ maxTokens, maxQuestions })) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`${name} must be a whole number of at least 1`);
  }
  return { whenStale, maxStalenessMs, maxTokens, maxQuestions };
}

/** Programs without types can forget the scope, and the message of the runtime would not say so. @throws TypeError */
export function checkWanted(wanted: Wanted): void {
  if (typeof wanted?.scope !== 'string')
    throw new TypeError("scope is missing: call verify(request, { scope: 'orders:read' })");
}
