import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emailKey, formerEmailKey } from './email.ts';

/** Combining marks that compose, reorder or change case, letters that join others, and a sigma. */
const MARKS = ['', '\u0307', '\u030c', '\u0345', '\u0323', '\u3099', '\u1161', 'Σ'];

/** Every assigned character but ideographs, which have one form each. */
function* characters(): Iterable<string> {
  for (let code = 0; code <= 0x1_ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/[\p{C}\p{Unified_Ideograph}]/u.test(character)) yield character;
  }
}

/** All parts of letters that have several: with a mark, each may be another letter. */
const PARTS = new Set(
  Array.from(characters(), (character) => [...character.normalize('NFD')])
    .filter(({ length }) => length > 1)
    .flat(),
);

/** Whether a character has more forms than its own. */
const hasForms = (character: string) =>
  PARTS.has(character) ||
  /\p{M}/u.test(character) ||
  [character.normalize('NFKD'), character.toUpperCase(), character.toLowerCase()].some(
    (form) => form !== character,
  );

/**
 * One mark, each character another one, is enough for a character of one form: most are, as the signs of a script without
 * cases.
 */
const marksFor = (character: string): readonly string[] =>
  hasForms(character) ? MARKS : [MARKS[(character.codePointAt(0) ?? 0) % MARKS.length] ?? ''];

/** Spellings of the same address, each once: those of most texts are the same. */
const spellings = (text: string, key: string): Iterable<string> =>
  new Set([
    text.normalize('NFC'),
    text.normalize('NFD'),
    text.toUpperCase(),
    text.toLowerCase(),
    text.toUpperCase().toLowerCase().normalize('NFD'),
    text.normalize('NFD').toUpperCase().normalize('NFC'),
    key,
  ]);

function unstable(text: string): string | undefined {
  const key = emailKey(text);
  for (const spelling of spellings(text, key)) {
    if (spelling !== text && emailKey(spelling) !== key) return spelling;
  }
  return undefined;
}

describe('emailKey', () => {
  test.each([
    ['J\u030coe@acme.example', '\u01f0oe@acme.example'],
    ['ADA@ACME.EXAMPLE', 'ada@acme.example'],
    ['Straße@acme.example', 'STRASSE@acme.example'],
    ['STRAẞE@acme.example', 'strasse@acme.example'],
    ['ΝΊΚΟΣ@acme.example', 'νίκος@acme.example'],
    ['νίκοσ@acme.example', 'νίκος@acme.example'],
    ['İpek@acme.example', 'i\u0307pek@acme.example'],
    ['ışık@acme.example', 'IŞIK@acme.example'],
    ['\uff41\uff44\uff41@\uff21\uff43\uff4d\uff45.example', 'ada@acme.example'],
    ['\uff76\uff9e@acme.example', 'ガ@acme.example'],
    ['e\u0301lise@acme.example', 'ÉLISE@acme.example'],
    ['\u1100\u1161@acme.example', '가@acme.example'],
    ['\u212Aurt@acme.example', 'kurt@acme.example'],
    ['\u1f80@acme.example', '\u1f88@acme.example'],
  ])('is the same of %s and %s', (one, other) => {
    expect(emailKey(one)).toBe(emailKey(other));
  });

  test('keeps apart what are different letters', () => {
    const names = ['jose', 'josé', 'josè', 'jöse', 'joese', 'jose.', 'jo_se', 'нikos'];
    expect(new Set(names.map((name) => emailKey(`${name}@acme.example`))).size).toBe(names.length);
  });

  test('is what versions before stored, for letters that have one form in lower case', () => {
    for (const email of [
      'Ada.Byron+x@Acme.Example',
      'Élise@ACME.example',
      'E\u0301lise@x',
      '李@例子.example',
    ]) {
      expect(emailKey(email)).toBe(formerEmailKey(email));
    }
  });

  test('is the same of all spellings of any character, with any mark before or behind it', {
    timeout: 120_000,
  }, () => {
    const found: string[] = [];
    for (const character of characters()) {
      for (const mark of marksFor(character)) {
        // In an order that is no normal form, the upper case of an iota below is a letter at another place.
        const texts = [`${character}${mark}`, `a${mark}${character}`].map((text) => text.normalize('NFD'));
        for (const text of texts) if (unstable(text) !== undefined) found.push(text);
      }
    }
    expect(found.map(escape)).toEqual([]);
  });

  test('is the same of all spellings of any text', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom(...MARKS, 'ß', 'ẞ', 'ς', 'ı', 'İ', 'ﬁ', 'ŉ', 'ǰ', 'ΐ', 'և', 'ᾳ', 'ǆ', 'ｶ', 'ﾞ', '@'),
    );
    const text = fc.string({ unit, maxLength: 12 }).map((drawn) => drawn.normalize('NFD'));
    fc.assert(
      fc.property(text, (drawn) => unstable(drawn) === undefined),
      { numRuns: 20_000 },
    );
  });

  test('is the same where the keys of versions before are the same', () => {
    const text = fc.string({ unit: 'binary', maxLength: 8 });
    fc.assert(
      fc.property(text, (drawn) => emailKey(formerEmailKey(drawn)) === emailKey(drawn)),
      { numRuns: 20_000 },
    );
  });
});
