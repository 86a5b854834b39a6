import { appendFileSync } from 'node:fs';

/** A measurement under a fault. */
export interface Figure {
  readonly name: string;
  /** The value with its unit: `3.6 ms`, `0 of 10,000`. */
  readonly measured: string;
  /** The limit; a figure without one only shows how much was done. */
  readonly bar?: string;
  readonly holds?: boolean;
}

/** Counts events that must not happen; `of` is the number of attempts. */
export function none(name: string, count: number, of?: number): Figure {
  const measured = of === undefined ? `${count}` : `${of}, ${count}`;
  return { name, measured, bar: '0', holds: count === 0 };
}

/** A time with its limit, in milliseconds. */
export function atMost(name: string, ms: number, limitMs: number, digits = 0): Figure {
  return { name, measured: `${ms.toFixed(digits)} ms`, bar: `≤ ${limitMs} ms`, holds: ms <= limitMs };
}

/**
 * Records figures for docs/develop/reliability.md, if they are collected. A test itself fails if its limit is not about time,
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
