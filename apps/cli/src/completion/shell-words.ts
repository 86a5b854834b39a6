/** How the word is quoted at the place where it ends so far. */
export type Quoting = '' | "'" | '"';

/** A line as far as it is typed, split into words as a shell does; variables and the like stay as they are. */
export interface ShellWords {
  /** Those before the last. */
  readonly before: readonly string[];
  /** What the last word means, which may be nothing yet. */
  readonly last: string;
  readonly quoting: Quoting;
}

export function splitShellWords(line: string): ShellWords {
  const before: string[] = [];
  let word: string | undefined;
  let quoting: Quoting = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    const following = line.charAt(at + 1);
    if (quoting === "'") {
      if (character === quoting) quoting = '';
      else word = `${word ?? ''}${character}`;
    } else if (character === '\\' && (quoting === '' || /["$`\\]/.test(following))) {
      word = `${word ?? ''}${following}`;
      at += 1;
    } else if (quoting === '"') {
      if (character === quoting) quoting = '';
      else word = `${word ?? ''}${character}`;
    } else if (character === '"' || character === "'") {
      quoting = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) before.push(word);
      word = undefined;
    } else {
      word = `${word ?? ''}${character}`;
    }
  }
  return { before, last: word ?? '', quoting };
}

/** Spells text so that bash takes it for itself and nothing more, where a word so quoted goes on. */
export function quoteForBash(text: string, quoting: Quoting): string {
  switch (quoting) {
    case "'":
      return text.replaceAll("'", "'\\''");
    case '"':
      // An exclamation mark calls for the history even here, and no backslash would vanish again.
      return text.replace(/["$`\\]/g, '\\$&').replaceAll('!', '"\\!"');
    default:
      return text.replace(/[^\p{L}\p{M}\p{N}_@%+=:,./-]/gu, '\\$&');
  }
}
