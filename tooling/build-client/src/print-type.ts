import { isReference, nameOf, type Reference, type Schema } from './document.ts';

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Prints a schema as a TypeScript type. Members that several schemas share (`allOf`) are repeated in each. */
export function printType(part: Schema | Reference): string {
  if (isReference(part)) return nameOf(part);
  if (part.const !== undefined) return JSON.stringify(part.const);
  if (part.enum) return union(part.enum.map((value) => JSON.stringify(value)));
  const variants = part.anyOf ?? part.oneOf;
  if (variants) return union(variants.map(printType));
  if (part.items) return `readonly ${bracketed(printType(part.items))}[]`;
  if (part.properties && Object.keys(part.properties).length > 0) return printMembers(part);
  const types = [part.type ?? []].flat();
  if (types.length === 0) return 'unknown';
  return union(types.map((type) => PRIMITIVES[type] ?? 'Readonly<Record<string, unknown>>'));
}

/** Prints the members of an object, in braces. */
export function printMembers({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([name, of]) => {
    const about = 'description' in of && of.description !== undefined ? `/** ${of.description} */\n` : '';
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${about}readonly ${key}${required.includes(name) ? '' : '?'}: ${printType(of)};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

export function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

const bracketed = (type: string) => (/^\w+$|^\{/.test(type) ? type : `(${type})`);
