import { withoutLineEnd } from '@gatehouse/key-encryption/secret-text';

/**
 * Cuts one line end from the end of each variable that has one: a file of variables that is written on Windows leaves a CR in
 * each. Changes the variables in place, because libraries read them as well. Called before anything reads one.
 */
export function cutLineEnds(environment: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && /[\r\n]$/.test(value)) environment[name] = withoutLineEnd(value);
  }
}
