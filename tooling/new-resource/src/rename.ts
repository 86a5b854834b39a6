import { type Names, spellings } from './names.ts';

/** Returns a function that puts another resource's name into a text, in all spellings and with its article. */
export function renaming(from: Names, to: Names): (text: string) => string {
  const pairs = Object.values(spellings).flatMap((spell) => [
    [spell(from.several), spell(to.several)] as const,
    [spell(from.one), spell(to.one)] as const,
  ]);
  const renamed = new Map(pairs);
  // The longest comes first, because the plural begins with the singular.
  const names = [...renamed.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?:\\b([Aa]n?) )?(${names.join('|')})`, 'g');
  return (text) =>
    text.replaceAll(pattern, (_, article: string | undefined, name: string) => {
      const other = renamed.get(name) ?? name;
      return article === undefined ? other : `${article.charAt(0)}${articleEnd(other)} ${other}`;
    });
}

/** Words that begin with a vowel, but with the sound of a consonant. */
const NO_VOWEL = /^(uni|us[aeu]|eu|one)/i;

const articleEnd = (word: string) => (/^[aeiou]/i.test(word) && !NO_VOWEL.test(word) ? 'n' : '');
