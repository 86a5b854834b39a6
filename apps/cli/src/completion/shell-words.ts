/** The quotation mark that is open at the end of the word. */
type Quoting = '' | "'" | '"';

/** A partial line, split into words like in a shell, without expanding variables. */
interface ShellWords {
  /** The words before the last. */
  readonly before: readonly string[];
  /** The last word without quotes; possibly empty. */
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
    const isPlain = quoting === '';
    if (character === quoting) {
      quoting = '';
    } else if (character === '\\' && (isPlain || (quoting === '"' && /["$`\\]/.test(following)))) {
      word = `${word ?? ''}${following}`;
      at += 1;
    } else if (isPlain && (character === '"' || character === "'")) {
      quoting = character;
      word ??= '';
    } else if (isPlain && /\s/.test(character)) {
      if (word !== undefined) before.push(word);
      word = undefined;
    } else {
      word = `${word ?? ''}${character}`;
    }
  }
  return { before, last: word ?? '', quoting };
}

/** Escapes text so that bash takes it literally in a word with this quoting. */
export function quoteForBash(text: string, quoting: Quoting): string {
  switch (quoting) {
    case "'":
      return text.replaceAll("'", "'\\''");
    case '"':
      // In double quotes, bash expands `!`, and would keep a backslash before it. So each `!` is written outside the
      // quotes.
      return text.replace(/["$`\\]/g, '\\$&').replaceAll('!', '"\\!"');
    default:
      return text.replace(/[^\p{L}\p{M}\p{N}_@%+=:,./-]/gu, '\\$&');
  }
}
