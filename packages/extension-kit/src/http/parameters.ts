import { z } from 'zod';

/** The limits of a whole number in a query. */
export interface WholeNumber {
  readonly min: number;
  readonly max: number;
  /** The default. */
  readonly otherwise: number;
}

/** A schema for a whole number in decimal digits, as in a query parameter. */
export function wholeNumber({ min, max, otherwise }: WholeNumber) {
  return z
    .string()
    .transform((text, context) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min && value <= max) return value;
      context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}` });
      return z.NEVER;
    })
    .default(otherwise)
    .meta({ type: 'integer', minimum: min, maximum: max });
}
