import { randomBytes } from 'node:crypto';
import { type Brand, err, ok, type Result } from '@gatehouse/domain';
import type { MasterKeyUnusable } from '@gatehouse/domain/signing-keys';

/** The 32 bytes that encrypt the signing keys. */
export type MasterKey = Brand<Uint8Array, 'MasterKey'>;

export function masterKeyProblem(message: string): MasterKeyUnusable {
  return { code: 'master_key_unusable', message };
}

/** The result of an operation that finds no usable master key. */
export const unusable = (message: string) => err(masterKeyProblem(message));

const LENGTH = 32;

/** Returns a new master key, as text for `parseMasterKey`. */
export function createMasterKey(): string {
  return randomBytes(LENGTH).toString('base64url');
}

/** Parses 32 bytes in base64url without padding (RFC 4648 section 5). The error message never repeats the text. */
export function parseMasterKey(text: string): Result<MasterKey, MasterKeyUnusable> {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64url'));
  if (bytes.length === LENGTH && Buffer.from(bytes).toString('base64url') === text) {
    return ok(bytes as MasterKey);
  }
  return unusable('must be 32 bytes in base64url (43 characters), as `gatehouse key new-master` prints them');
}
