import { createHmac } from 'node:crypto';
import { sealCryptographyContract } from '@gatehouse/domain/testing/contracts';
import { expect, test } from 'vitest';
import { createSealCryptography } from './seal-cryptography.ts';

sealCryptographyContract('OpenSSL', createSealCryptography);

test('the key of the MACs is derived from the secret by HKDF, step by step as RFC 5869 says', () => {
  const secret = new Uint8Array(32).fill(7);
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
  const key = createHmac('sha256', extracted).update('gatehouse audit seals\u0001').digest();
  const expected = createHmac('sha256', key).update('text').digest('base64url');
  expect(createSealCryptography().mac(secret, 'text')).toBe(expected);
});
