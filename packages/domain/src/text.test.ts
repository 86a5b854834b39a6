import { expect, test } from 'vitest';
import { invalid, ok } from './result.ts';
import { checkName, checkStoredName, checkText } from './text.ts';

const SECRETS = [
  'v4.public.eyJpc3MiOiJnYXRlaG91c2UifQ.eyJraWQiOiIxIn0',
  'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJnYXRlaG91c2UifQ.c2lnbmF0dXJl',
  `ghs_${'A'.repeat(43)}`,
  `ghi_${'b'.repeat(43)}`,
  `ghl_${'-'.repeat(43)}`,
];

test.each(SECRETS)('neither a text nor a name contains %s', (secret) => {
  for (const text of [secret, `leaked: ${secret}`, `https://acme.example/x#${secret}`]) {
    const refused = invalid('reason', 'must not contain a token or a code');
    expect(checkText('reason', text, 500)).toEqual(refused);
    expect(checkName('reason', text)).toEqual(refused);
    expect(checkStoredName('cursor', text)).toEqual(ok(text));
  }
});

test.each(['v4.public', 'ghs_ codes of services', 'eyJ', 'Replaced v4.public tokens by JWT'])(
  'a text and a name may contain %j',
  (text) => {
    expect([checkText('reason', text, 500), checkName('name', text)]).toEqual([ok(text), ok(text)]);
  },
);
