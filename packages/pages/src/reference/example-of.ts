import { type Description, type Reference, resolve, type Schema } from './description.ts';

/** Example texts by format. */
const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-23T09:30:00.000Z',
  uuid: '0190a5b0-0000-7000-8000-000000000000',
  email: 'ada@acme.example',
};

/** Returns a value that fits a schema: its example if it has one, otherwise a value of its type. */
export function exampleOf(description: Description, part: Schema | Reference, name = ''): unknown {
  const schema = resolve(description, part);
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return exampleOf(description, first, name);
  if (schema.properties) {
    const members = Object.entries(schema.properties);
    return Object.fromEntries(members.map(([member, of]) => [member, exampleOf(description, of, member)]));
  }
  if (schema.items) return [exampleOf(description, schema.items, name)];
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
