import { createHash, createHmac } from 'node:crypto';
import {
  type PendingSecret,
  type PendingSecretHash,
  RECOVERY_ALPHABET,
  RECOVERY_CODES,
  RECOVERY_LENGTH,
  type RecoveryCode,
  type RecoveryCodeHash,
  type SecondFactorSecrets,
  TOTP_DIGITS,
  TOTP_SECRET_BYTES,
} from '../src/second-factor/index.ts';

/** Creates SecondFactorSecrets for tests that always create the same secrets in the same order. Its codes are genuine. */
export function createFakeSecondFactorSecrets(): SecondFactorSecrets {
  let count = 0;
  const next = (what: string) => {
    count += 1;
    return createHash('sha256').update(`${what} ${count}`).digest();
  };
  const hashOf = (text: string) => createHash('sha256').update(`fake ${text}`).digest('hex');
  const createCode = () => {
    const letters = [...next('recovery').subarray(0, RECOVERY_LENGTH)];
    return letters.map((byte) => RECOVERY_ALPHABET[byte % 32]).join('') as RecoveryCode;
  };
  return {
    createSecret: () => Uint8Array.from(next('secret').subarray(0, TOTP_SECRET_BYTES)),
    codeOf(secret, step) {
      const counter = Buffer.alloc(8);
      counter.writeBigUInt64BE(BigInt(step));
      const mac = createHmac('sha1', secret).update(counter).digest();
      const place = (mac.at(-1) ?? 0) % 16;
      const number = mac.readUInt32BE(place) % 2 ** 31;
      return String(number % 10 ** TOTP_DIGITS).padStart(TOTP_DIGITS, '0');
    },
    createRecoveryCodes: () => Array.from({ length: RECOVERY_CODES }, createCode),
    hashOfRecoveryCode: (code) => hashOf(code) as RecoveryCodeHash,
    createPending: () => next('pending').toString('base64url') as PendingSecret,
    hashOfPending: (secret) => hashOf(secret) as PendingSecretHash,
  };
}
