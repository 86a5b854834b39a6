import type { KeyPair } from '@gatehouse/domain/tokens';
import { PublicProtocol } from 'paseto';
import { ExportSecretKeyFactory, GenerateKeyPairFactory } from 'paseto/v4/public';
import { toKeyId } from './paserk.ts';

const protocol = new PublicProtocol(GenerateKeyPairFactory, ExportSecretKeyFactory);

export async function generateKey(): Promise<KeyPair> {
  const { secretKey: generated } = await protocol.GenerateKeyPair({ extractable: true });
  const paserk = await protocol.ExportSecretKey(generated);
  const material = Buffer.from(paserk.slice('k4.secret.'.length), 'base64url');
  const [secretKey, publicKey] = [material.subarray(0, 32), material.subarray(32)];
  return {
    id: toKeyId(publicKey),
    publicKey: Uint8Array.from(publicKey),
    secretKey: Uint8Array.from(secretKey),
  };
}
