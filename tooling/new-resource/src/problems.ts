import { schemaOf } from '@gatehouse/extension-kit/postgres';
import type { Claim } from './claims.ts';
import { type Names, spellings } from './names.ts';
import { POSTGRES_WORDS, RESERVED_WORDS } from './words.ts';

const NAME = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/;

/** Says what is wrong with the spelling of a name, and how to correct it; undefined if nothing is wrong. */
export function problemOfSpelling(name: string): string | undefined {
  if (NAME.test(name)) return undefined;
  const spelled = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();
  const right = NAME.test(spelled) ? spelled : 'work-order';
  return `${JSON.stringify(name)} is not in lower case with dashes: such as ${right}.`;
}

/** Says what is wrong with well spelled names: a name is taken, or a language or the example already uses the word. */
export function problemsOfNames(
  names: Names,
  claims: readonly Claim[],
  taken: ReadonlySet<Claim>,
  identifiers: ReadonlySet<string>,
): readonly string[] {
  const { one, several } = names;
  if (one === several) {
    return [`${one} is its own plural, but the code needs a word for several: such as --plural ${one}-list.`];
  }
  const words = [one, several].flatMap((name) => [spellings.camel(name), spellings.pascal(name)]);
  const problems = new Set([
    ...schemaProblems(several),
    ...words.filter((word) => RESERVED_WORDS.has(word)).map((word) => `${word} is a word of TypeScript.`),
    ...words
      .filter((word) => identifiers.has(word) && !RESERVED_WORDS.has(word))
      .map((word) => `${word} is what the copied code calls something else.`),
    ...claims.filter((claim) => taken.has(claim)).map((claim) => `The ${claim} is taken.`),
  ]);
  return problems.size === 0 ? [] : [...problems, `Choose another name, such as team-${one}.`];
}

function schemaProblems(several: string): readonly string[] {
  if (several.length > MAX_LENGTH) {
    return [`${several} is too long to name a schema of PostgreSQL: at most ${MAX_LENGTH} characters.`];
  }
  const isFree = isSchema(several) && !POSTGRES_WORDS.has(spellings.snake(several));
  return isFree ? [] : [`${several} is a word of PostgreSQL.`];
}

/** The maximum length of the schema's name (`schemaOf`), in characters. */
const MAX_LENGTH = 40;

function isSchema(several: string): boolean {
  try {
    schemaOf(several);
    return true;
  } catch {
    return false;
  }
}
