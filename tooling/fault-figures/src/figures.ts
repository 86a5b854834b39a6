import { appendFileSync } from 'node:fs';

/** One thing that was measured under a fault. */
export interface Figure {
  readonly name: string;
  /** With its unit: `3.6 ms`, `0 of 10,000`. */
  readonly measured: string;
  /** What must hold; without one the figure only says what was done. */
  readonly bar?: string;
  readonly holds?: boolean;
}

/**
 * Writes figures down for docs/reliability.md, if somebody collects them: a test itself fails where its bar is
 * not about time, or is the one second within which a revocation holds.
 */
export function recordFigures(fault: string, figures: readonly Figure[]): void {
  const file = process.env.FAULTS_FIGURES;
  if (file === undefined) return;
  for (const figure of figures) appendFileSync(file, `${JSON.stringify({ fault, ...figure })}\n`);
}

/** Says loudly that a fault was not tested here, and why; the report says so too. */
export function recordSkip(fault: string, reason: string): void {
  console.warn(`SKIPPED: ${fault} was not tested: ${reason}`);
  recordFigures(fault, [{ name: 'not tested', measured: reason, holds: false }]);
}
