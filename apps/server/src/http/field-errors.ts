import type { FieldError } from '@gatehouse/api-contract';
import type { z } from 'zod';

export type { FieldError };

/** Every field that a schema refuses, by its path; `whole` names the input itself. */
export function fieldErrors({ issues }: z.ZodError, whole: string): readonly FieldError[] {
  return issues.map(({ path, message }) => ({
    field: path.length === 0 ? whole : path.join('.'),
    message,
  }));
}
