import type { IncomingMessage } from 'node:http';

/**
 * Returns the values of a header field, one for each time it was sent; Node itself keeps one of them or joins them.
 *
 * @param field in lower case
 */
export function valuesOf({ rawHeaders }: IncomingMessage, field: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === field.length && name.toLowerCase() === field)
      values.push(rawHeaders[index + 1] as string);
  }
  return values;
}
