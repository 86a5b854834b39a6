import { err, ok, type Result } from '@gatehouse/domain';
import type { ParameterSchemas } from '@gatehouse/extension-kit/http';
import { z } from 'zod';
import { type FieldError, fieldErrors } from './problem.ts';
import type { HttpRequest } from './request.ts';
import { decodePercent } from './request-target.ts';

/** Parses the parameters that a route describes, and ignores all others. */
export function createQueryParser(schemas: ParameterSchemas) {
  const shape = z.object(schemas);
  return ({ query = '' }: Pick<HttpRequest, 'query'>): Result<object, readonly FieldError[]> => {
    const values: Record<string, string> = {};
    const errors: FieldError[] = [];
    for (const pair of withoutMarks(query).split('&')) {
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
const withoutMarks = (query: string) => query.replace(/^\?|#.*$/gs, '');

/** Splits `name=value`; without an equals sign the value is empty. */
export function splitOnce(pair: string): readonly [name: string, value: string] {
  const end = pair.indexOf('=');
  return end === -1 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
}

function decoded(text: string): string | undefined {
  return decodePercent(text.replaceAll('+', ' '));
}
