import type { KeyPair } from '@gatehouse/domain/tokens';
import { exportJWK, generateKeyPair, importJWK } from 'jose';
import { toKeyId, toKeyMaterial } from './jwk.ts';

export async function generateKey(): Promise<KeyPair> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const { d = '', x = '' } = await exportJWK(privateKey);
  const publicKey = Uint8Array.from(Buffer.from(x, 'base64url'));
  return { id: await toKeyId(publicKey), publicKey, secretKey: Uint8Array.from(Buffer.from(d, 'base64url')) };
}

export function importSecretKey({ publicKey, secretKey }: KeyPair) {
  const d = Buffer.from(secretKey).toString('base64url');
  return importJWK({ ...toKeyMaterial(publicKey), d }, 'EdDSA');
}
