import { describe, expect, test } from 'vitest';
import type { Email } from './email.ts';
import { checkPassword } from './password-policy.ts';

const verdict = (password: string, email = 'ada.byron@acme.example') => {
  const checked = checkPassword(password, email as Email);
  return checked.ok ? 'taken' : checked.error.problems[0]?.message;
};

test.each([
  'correct horse battery',
  'Zw3i Möwen über Kiel',
  '   leading and trailing   ',
  'x9$Kq!2mVp7#',
  `${'ab cd '.repeat(170)}!!!!`,
])('%j is accepted', (password) => {
  expect(verdict(password)).toBe('taken');
});

test('12 to 1,024 characters: an emoji counts as one, and no rule requires capitals or digits', () => {
  expect(verdict('elevenchars')).toContain('12 to 1024');
  expect(verdict('🜁🜂🜃🜄 🜅🜆🜇 🜈🜉')).toContain('12 to 1024');
  expect(verdict('🜁🜂🜃🜄 🜅🜆🜇 🜈🜉🜊')).toBe('taken');
  expect(verdict('quite a long one, '.repeat(57))).toContain('12 to 1024');
  expect(verdict(`${'ab cd '.repeat(170)}!!!!!`)).toContain('12 to 1024');
});

test.each([
  'password1234',
  'Password1234!',
  '123456789012',
  'qwertyuiopas',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'QWERTY123456',
  '1qaz2wsx3edc',
  '!!welcome!!!!',
  'iloveyou2024',
])('%j is common', (password) => {
  expect(verdict(password)).toContain('many people choose');
});

test('a password derived from the email’s local part is refused if that has four or more characters', () => {
  expect(verdict('xx-ADA.BYRON-xx')).toContain('email');
  expect(verdict('adamant beliefs', 'ada@acme.example')).toBe('taken');
  expect(verdict('graceful beliefs', 'Grac@acme.example')).toContain('email');
});

test('only the local part counts: a password may contain the domain', () => {
  expect(verdict('the acme.example press')).toBe('taken');
});

describe('characters that cannot be typed are refused, and named', () => {
  test.each([
    ['\u0000', 'U+0000: it is a control character'],
    ['\t', 'U+0009: it is a control character'],
    ['\r', 'U+000D: it is a control character'],
    ['\n', 'U+000A: it is a control character'],
    ['\u001b', 'U+001B: it is a control character'],
    ['\u007f', 'U+007F: it is a control character'],
    ['\u0085', 'U+0085: it is a control character'],
    ['\u009f', 'U+009F: it is a control character'],
    ['\u2028', 'U+2028: it is a control character'],
    ['\u2029', 'U+2029: it is a control character'],
    ['\ufeff', 'U+FEFF: it is invisible'],
    ['\u200b', 'U+200B: it is invisible'],
    ['\u00ad', 'U+00AD: it is invisible'],
    ['\u202e', 'U+202E: it is invisible'],
    ['\u2060', 'U+2060: it is invisible'],
    ['\u3164', 'U+3164: it is invisible'],
    ['\ud800', 'U+D800: it is invisible'],
    ['\uf8ff', 'U+F8FF: it is invisible, or means something else'],
    ['\uffff', 'U+FFFF: it is invisible'],
    ['\u{10ffff}', 'U+10FFFF: it is invisible'],
    ['\u0378', 'U+0378: it is invisible'],
  ])('%j', (character, said) => {
    for (const password of [
      `${character}a perfectly fine one`,
      `a perfectly ${character} fine one`,
      `a perfectly fine one${character}`,
    ])
      expect(verdict(password)).toContain(`must not hold ${said}`);
  });

  test('every control character of either range', () => {
    for (let code = 0; code < 0xa0; code += 1) {
      const isControl = code < 0x20 || code >= 0x7f;
      const password = `a perfectly fine one${String.fromCodePoint(code)}`;
      const expected = isControl ? expect.stringContaining('control character') : 'taken';
      expect(verdict(password), `U+${code.toString(16)}`).toEqual(expected);
    }
  });

  test.each([
    'a family of \u{1f469}\u200d\u{1f469}\u200d\u{1f466} is here',
    'a red heart \u2764\ufe0f beats',
    'the flag \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} waves',
    'می\u200cخواهم بروم خانه',
    'Jack of ♦s is a knave',
  ])('not what keyboards send by themselves: %s', (password) => {
    expect(verdict(password)).toBe('taken');
  });
});

describe('the normal form', () => {
  const taken = (password: string) => {
    const checked = checkPassword(password, 'ada@acme.example' as Email);
    return checked.ok ? checked.value : checked.error.problems[0]?.message;
  };

  test('is returned, and its code points are counted', () => {
    expect(taken('Zw3i Mo\u0308wen u\u0308ber Kiel')).toBe('Zw3i M\u00f6wen \u00fcber Kiel');
    expect(taken('o\u0308o\u0308o\u0308u\u0308u\u0308e\u0301')).toContain('12 to 1024');
    const long = `Zw${'Mö '.repeat(340)}`;
    expect(taken(long.normalize('NFD'))).toBe(long);
  });

  test('is compared with common passwords and the email', () => {
    expect(taken('password\u00a01234')).toContain('many people choose');
    const ofName = checkPassword('xx-Je\u0301ro\u0302me-2024', 'J\u00e9r\u00f4me@acme.example' as Email);
    expect(ofName.ok).toBe(false);
  });
});
