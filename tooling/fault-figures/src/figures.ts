import { appendFileSync } from 'node:fs';

/** A measurement under a fault. */
export interface Figure {
  readonly name: string;
  /** The value with its unit: `3.6 ms`, `0 of 10,000`. */
  readonly measured: string;
  /** The limit; a figure without one only says how much was done. */
  readonly bar?: string;
  readonly holds?: boolean;
}

/**
 * Records figures for docs/reliability.md, if they are collected. A test itself fails if its limit is not about time,
 * or is the second within which a revocation takes effect.
 */
export function recordFigures(fault: string, figures: readonly Figure[]): void {
  const file = process.env.FAULTS_FIGURES;
  if (file === undefined) return;
  for (const figure of figures) appendFileSync(file, `${JSON.stringify({ fault, ...figure })}\n`);
}

/** Prints that a fault was not tested and why; the report says so, too. */
export function recordSkip(fault: string, reason: string): void {
  console.warn(`SKIPPED: ${fault} was not tested: ${reason}`);
  recordFigures(fault, [{ name: 'not tested', measured: reason, holds: false }]);
}
