const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Yields the text with each bit of each character flipped in turn. */
export function* bitFlips(token: string): Generator<string> {
  for (let index = 0; index < token.length; index += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      yield replaceAt(token, index, String.fromCharCode(token.charCodeAt(index) ^ (1 << bit)));
    }
  }
}

/** Yields the text with each encoded bit flipped in turn, which is well-formed base64url again. */
export function* symbolFlips(token: string): Generator<string> {
  for (let index = 0; index < token.length; index += 1) {
    const value = ALPHABET.indexOf(token.charAt(index));
    for (let bit = 0; value >= 0 && bit < 6; bit += 1) {
      yield replaceAt(token, index, ALPHABET.charAt(value ^ (1 << bit)));
    }
  }
}

/** Yields the beginning of one text joined to the end of the other, at every position, if the result is a third text. */
export function* splices(one: string, other: string): Generator<string> {
  for (let index = 1; index < Math.min(one.length, other.length); index += 1) {
    for (const spliced of [
      one.slice(0, index) + other.slice(index),
      other.slice(0, index) + one.slice(index),
    ]) {
      if (spliced !== one && spliced !== other) yield spliced;
    }
  }
}

/** Yields texts that lenient decoders treat as the same token. */
export function* otherSpellings(token: string): Generator<string> {
  const parts = token.split('.');
  for (const [index, part] of parts.entries()) {
    const bytes = Buffer.from(part, 'base64url');
    const standard = bytes.toString('base64');
    const spellings = [
      `${part}=`,
      `${part}==`,
      ` ${part}`,
      `${part}\n`,
      `${part.slice(0, 4)}\n${part.slice(4)}`,
      standard,
      part.toUpperCase(),
      part.toLowerCase(),
      ...Array.from(ALPHABET, (last) => part.slice(0, -1) + last).filter((text) =>
        Buffer.from(text, 'base64url').equals(bytes),
      ),
    ];
    for (const spelling of spellings) {
      if (spelling !== part) yield parts.with(index, spelling).join('.');
    }
    yield parts.toSpliced(index, 1).join('.');
    yield parts.with(index, '').join('.');
    yield parts.toSpliced(index, 0, part).join('.');
  }
}

function replaceAt(text: string, index: number, character: string): string {
  return text.slice(0, index) + character + text.slice(index + 1);
}
