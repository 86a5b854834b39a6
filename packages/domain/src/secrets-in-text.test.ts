import { expect, test } from 'vitest';
import { SECRET, tokensIn } from './secrets-in-text.ts';

const PASETO = 'v4.public.eyJpc3MiOiJnYXRlaG91c2UifQabc_-.eyJraWQiOiIxIn0';
const JWT = 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJnYXRlaG91c2UifQ.c2ln_-1hdHVyZQ';

test.each([PASETO, JWT])('%s is found in the texts that have tokens', (token) => {
  for (const text of [
    token,
    ` ${token}\n`,
    `Authorization: Bearer ${token}`,
    `"${token}"`,
    `{"token":"${token}"}`,
    `export API_TOKEN=${token}`,
    `curl -H 'authorization: Bearer ${token}' https://api.example/`,
    `Token: ${token}, and more`,
  ]) {
    expect(tokensIn(text), text).toEqual([token]);
    expect(SECRET.test(text), text).toBe(true);
  }
});

test('each token of a text is found, and no other words', () => {
  expect(tokensIn(`${PASETO} ${JWT}\n${PASETO}`)).toEqual([PASETO, JWT, PASETO]);
  expect(tokensIn('Door badges, v4.public, eyJ and a@acme.example')).toEqual([]);
});

test('a part of a longer word is no token', () => {
  for (const text of [`x${PASETO}`, `${PASETO}.x`, `${JWT}.x.y`, PASETO.slice(0, 30)]) {
    expect(tokensIn(text), text).toEqual([]);
  }
});

test.each(['eyJ', 'v4.public.', 'gha_', 'eyJeyJeyJ.', 'eyJ.eyJeyJeyJ'])(
  'a long text of %s is searched at once',
  (part) => {
    const text = part.repeat(60_000 / part.length);
    const start = performance.now();
    SECRET.test(text);
    tokensIn(text);
    // A quadratic pattern takes five seconds. A linear one takes a millisecond.
    expect(performance.now() - start).toBeLessThan(1000);
  },
);
