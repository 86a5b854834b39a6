import type { IncomingMessage } from 'node:http';
import type { FieldError } from '@gatehouse/api-contract';
import { err, ok, type Result } from '@gatehouse/domain';
import type { ParameterSchemas } from '@gatehouse/extension-kit/http';
import { z } from 'zod';
import { fieldErrors } from './problem.ts';

const queries = new WeakMap<IncomingMessage, string>();

/** Keeps the query of a request's target: requests are routed by their path alone. */
export function noteQuery(request: IncomingMessage, target: string): void {
  const start = target.indexOf('?');
  if (start !== -1) queries.set(request, target.slice(start));
}

/** With its question mark; undefined where the target has none. */
export function queryOf(request: IncomingMessage): string | undefined {
  return queries.get(request);
}

type QueryParser = (request: IncomingMessage) => Result<object, readonly FieldError[]>;

/** Parses the parameters that a route describes. All others are ignored, whatever they are. */
export function createQueryParser(schemas: ParameterSchemas): QueryParser {
  const shape = z.object(schemas);
  return (request) => {
    const values: Record<string, string> = {};
    const errors: FieldError[] = [];
    for (const pair of queryText(request).split('&')) {
      const [encodedName, encodedValue] = splitOnce(pair);
      const name = decoded(encodedName) ?? '';
      if (!Object.hasOwn(schemas, name)) continue;
      const value = decoded(encodedValue);
      if (value === undefined) errors.push({ field: name, message: 'must be percent-encoded UTF-8' });
      else if (Object.hasOwn(values, name)) errors.push({ field: name, message: 'must be given once' });
      else values[name] = value;
    }
    if (errors.length > 0) return err(errors);
    const parsed = shape.safeParse(values);
    return parsed.success ? ok(parsed.data) : err(fieldErrors(parsed.error, 'query'));
  };
}

/** Without its question mark, and without a fragment, which no target should have. */
function queryText(request: IncomingMessage): string {
  return (queryOf(request) ?? '').replace(/^\?|#.*$/gs, '');
}

/** Splits `name=value`; without an equals sign the value is empty. */
export function splitOnce(pair: string): readonly [name: string, value: string] {
  const end = pair.indexOf('=');
  return end === -1 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
}

function decoded(text: string): string | undefined {
  return decodePercent(text.replaceAll('+', ' '));
}

/** Undefined where the percent-encodings are not those of UTF-8. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
