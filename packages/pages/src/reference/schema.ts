import type { Schema } from './description.ts';

/** A member of a body, such as `account.name` or `keys[].kid`. */
export interface Member {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

/** Returns the members of a body, including the members of nested objects and lists. */
export function membersOf({ items, properties = {}, required = [] }: Schema, at = ''): readonly Member[] {
  if (items) return membersOf(items, `${at}[]`);
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const { description } = schema;
    const own = { path, type: typeInWords(schema), isRequired: required.includes(name), description };
    return [own, ...membersOf(schema, path)];
  });
}

/** The type of a value, such as `integer`, `"admin" or "member"` or `text, 1 to 254 characters`. */
export function typeInWords(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' or ');
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return several.map(typeInWords).join(' or ');
  if (schema.items) return `list of ${typeInWords(schema.items)}`;
  const types = [schema.type ?? 'anything'].flat();
  const type = types.map((each) => (each === 'string' ? (schema.format ?? 'text') : each)).join(' or ');
  // In the OpenAPI document, every integer has a maximum: the largest integer that JavaScript can represent. Only a
  // smaller maximum is shown.
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (isBounded) return `${type}, ${minimum ?? 0} to ${maximum}`;
  if (maxLength !== undefined) return `${type}, ${minLength ?? 0} to ${maxLength} characters`;
  return type;
}

/** Example texts, by the format of a text or by the name of a member. */
const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-23T09:30:00.000Z',
  uuid: '0190a5b0-0000-7000-8000-000000000000',
  email: 'ada@acme.example',
};

/** Returns a value that fits a schema: its example if it has one, otherwise a value of its type. */
export function exampleOf(schema: Schema, name = ''): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return exampleOf(first, name);
  if (schema.properties) {
    const members = Object.entries(schema.properties);
    return Object.fromEntries(members.map(([member, of]) => [member, exampleOf(of, member)]));
  }
  if (schema.items) return [exampleOf(schema.items, name)];
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number':
      return 42;
    case 'boolean':
      return true;
    case 'object':
      return {};
    default:
      return TEXTS[schema.format ?? ''] ?? TEXTS[name] ?? name;
  }
}
