import { err, ok, type Result } from '@gatehouse/domain';

/** Reads the value of a field of a JSON object. The error says what the value must be. */
export type Read<T> = (value: unknown) => Result<T, string>;

/** A field of an object. Without `absent`, the field is required. */
export interface Field<T> {
  readonly read: Read<T>;
  readonly absent?: T;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The type of the objects with these fields. */
export type Shape<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** Reads an object. Each error begins with the name of a field, and no error repeats a value, which may be a secret. */
export function readFields<F extends Fields>(
  fields: F,
  value: unknown,
  instead: Readonly<Record<string, string>> = {},
): Result<Shape<F>, readonly string[]> {
  if (!isObject(value)) return err([`must be an object with ${listed(Object.keys(fields))}`]);
  const problems: string[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const given = value[name];
    if (given === undefined && 'absent' in field) {
      read[name] = field.absent;
      continue;
    }
    const parsed = field.read(given);
    if (parsed.ok) read[name] = parsed.value;
    else problems.push(`${name} ${given === undefined ? 'is missing: it ' : ''}${parsed.error}`);
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name))
      problems.push(
        instead[name] ?? `${JSON.stringify(name)} is not a field: there are ${listed(Object.keys(fields))}`,
      );
  }
  // The cast is safe: each field was read by its own parser.
  return problems.length === 0 ? ok(read as Shape<F>) : err(problems);
}

/** A text for which `isRight` is true. */
export const textField =
  (expected: string, isRight: (text: string) => boolean): Read<string> =>
  (value) =>
    typeof value === 'string' && isRight(value) ? ok(value) : err(`must be ${expected}`);

/** A list of different values. */
export const listField =
  <T>(expected: string, least: number, readItem: Read<T>, keyOf: (item: T) => unknown = (item) => item) =>
  (value: unknown): Result<readonly T[], string> => {
    if (!Array.isArray(value) || value.length < least) return err(`must be ${expected}`);
    const items: T[] = [];
    for (const each of value) {
      const item = readItem(each);
      if (!item.ok) return err(`must be ${expected}`);
      items.push(item.value);
    }
    return new Set(items.map(keyOf)).size === items.length ? ok(items) : err('must not have an entry twice');
  };

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const listed = (names: readonly string[]) => names.join(', ');
