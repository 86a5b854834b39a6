import type { IncomingMessage } from 'node:http';

/** The values of a header field, one for each time that it came; Node itself keeps one or joins them. */
export function valuesOf({ rawHeaders }: IncomingMessage, field: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === field.length && name.toLowerCase() === field)
      values.push(rawHeaders[index + 1] as string);
  }
  return values;
}
