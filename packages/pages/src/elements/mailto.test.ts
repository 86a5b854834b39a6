import { expect, test } from 'vitest';
import { mailto } from './mailto.ts';

test('an address adds no recipient and no header to the message that is proposed', () => {
  expect(mailto('a?cc=eve%40evil.example&x=@acme.example', { subject: 'S & T', body: 'one\ntwo' })).toBe(
    'mailto:a%3Fcc%3Deve%2540evil.example%26x%3D@acme.example?subject=S%20%26%20T&body=one%0D%0Atwo',
  );
});

test('an ordinary address stays as it is', () => {
  expect(mailto('ada@acme.example')).toBe('mailto:ada@acme.example');
});
