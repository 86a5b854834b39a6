import { createHash, createHmac, randomBytes } from 'node:crypto';
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
} from '@gatehouse/domain/second-factor';

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** A random byte has each value equally often, and so has its rest by 32. */
const createRecoveryCode = () =>
  [...randomBytes(RECOVERY_LENGTH)].map((byte) => RECOVERY_ALPHABET[byte % 32]).join('') as RecoveryCode;

/** Creates the port `SecondFactorSecrets`. Its secrets are random numbers from the operating system. */
export function createSecondFactorSecrets(): SecondFactorSecrets {
  return {
    createSecret: () => Uint8Array.from(randomBytes(TOTP_SECRET_BYTES)),
    codeOf: totp,
    createRecoveryCodes() {
      const codes = new Set<RecoveryCode>();
      while (codes.size < RECOVERY_CODES) codes.add(createRecoveryCode());
      return [...codes];
    },
    hashOfRecoveryCode: (code) => hashOf(code) as RecoveryCodeHash,
    createPending: () => randomBytes(32).toString('base64url') as PendingSecret,
    hashOfPending: (secret) => hashOf(secret) as PendingSecretHash,
  };
}

/** The code of a step: RFC 4226 section 5.3, with the step as the counter (RFC 6238 section 4). */
function totp(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const place = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(place) & 0x7f_ff_ff_ff;
  return String(number % 10 ** TOTP_DIGITS).padStart(TOTP_DIGITS, '0');
}
