import type { KeyPair } from '@gatehouse/domain/tokens';
import { exportJWK, generateKeyPair } from 'jose';
import { toKeyId } from './jwk.ts';

export async function generateKey(): Promise<KeyPair> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const { d = '', x = '' } = await exportJWK(privateKey);
  const publicKey = Uint8Array.from(Buffer.from(x, 'base64url'));
  return { id: await toKeyId(publicKey), publicKey, secretKey: Uint8Array.from(Buffer.from(d, 'base64url')) };
}
