/** The name of a resource in every spelling that its package uses. */
export interface Names {
  /** Such as `work-order` and `work-orders`. */
  readonly one: string;
  readonly several: string;
}

const camel = (name: string) => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The spellings of a name such as `work-order`. */
export const spellings = {
  kebab: (name: string) => name,
  snake: (name: string) => name.replaceAll('-', '_'),
  constant: (name: string) => name.replaceAll('-', '_').toUpperCase(),
  camel,
  pascal: (name: string) => capitalized(camel(name)),
  words: (name: string) => name.replaceAll('-', ' '),
  sentence: (name: string) => capitalized(name.replaceAll('-', ' ')),
} satisfies Readonly<Record<string, (name: string) => string>>;

/** The regular plural of an English word. */
export function pluralOf(one: string): string {
  if (/(s|x|z|ch|sh)$/.test(one)) return `${one}es`;
  return /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}s`;
}
