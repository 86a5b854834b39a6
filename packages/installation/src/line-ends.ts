import { withoutLineEnd } from '@gatehouse/key-encryption/secret-text';

/**
 * Removes one line end from the end of each environment variable that has one. If a file of variables was written on
 * Windows, each variable ends with a CR. Changes `environment` itself, because libraries read the variables as well.
 * Call this before any variable is read.
 */
export function cutLineEnds(environment: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && /[\r\n]$/.test(value)) environment[name] = withoutLineEnd(value);
  }
}
