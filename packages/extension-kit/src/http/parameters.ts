import { z } from 'zod';

/** What is said of a whole number in a query. */
export interface WholeNumber {
  readonly min: number;
  readonly max: number;
  /** Where the query does not have it. */
  readonly otherwise: number;
}

/** A whole number in decimal digits, such as a query parameter has it. */
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
