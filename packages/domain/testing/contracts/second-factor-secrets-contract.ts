import { describe, expect, it } from 'vitest';
import {
  formatRecoveryCode,
  parsePendingSecret,
  parseRecoveryCode,
  RECOVERY_CODES,
  RECOVERY_LENGTH,
  type SecondFactorSecrets,
  TOTP_SECRET_BYTES,
  totpStep,
} from '../../src/second-factor/index.ts';
import type { Instant } from '../../src/time/index.ts';

/** The secret of the test vectors of RFC 4226 appendix D, and of RFC 6238 appendix B. */
const SECRET = new TextEncoder().encode('12345678901234567890');

/** RFC 4226 appendix D: the codes of the counts 0 to 9. */
const HOTP = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ');

/** RFC 6238 appendix B: the time in seconds, and the last 6 of the 8 digits. */
const TOTP = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

/** The contract of every SecondFactorSecrets. */
export function secondFactorSecretsContract(name: string, createSecrets: () => SecondFactorSecrets): void {
  describe(`${name} as SecondFactorSecrets`, () => {
    const secrets = createSecrets();

    it('computes the codes of the test vectors of RFC 4226 and RFC 6238', () => {
      for (const [step, code] of HOTP.entries()) expect(secrets.codeOf(SECRET, step)).toBe(code);
      for (const [seconds, code] of TOTP)
        expect(secrets.codeOf(SECRET, totpStep((seconds * 1000) as Instant))).toBe(code);
    });

    it('makes secrets of 20 bytes, each once, whose bytes all vary', () => {
      const made = Array.from({ length: 10_000 }, () => secrets.createSecret());
      expect(new Set(made.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(made.length);
      for (let place = 0; place < TOTP_SECRET_BYTES; place += 1)
        expect(new Set(made.map((secret) => secret[place])).size).toBe(256);
      expect(made.every((secret) => secret.length === TOTP_SECRET_BYTES)).toBe(true);
    });

    it('makes ten recovery codes at a time, each once, whose characters all vary', () => {
      const made = Array.from({ length: 500 }, () => secrets.createRecoveryCodes());
      const codes = made.flat();
      expect(made.every((some) => some.length === RECOVERY_CODES)).toBe(true);
      expect(new Set(codes).size).toBe(codes.length);
      for (const code of codes) expect(parseRecoveryCode(formatRecoveryCode(code).toLowerCase())).toBe(code);
      for (let place = 0; place < RECOVERY_LENGTH; place += 1)
        expect(new Set(codes.map((code) => code[place])).size).toBe(32);
    });

    it('makes pending secrets of 32 bytes as base64url, each once', () => {
      const made = Array.from({ length: 1000 }, () => secrets.createPending());
      expect(new Set(made).size).toBe(made.length);
      for (const secret of made) {
        expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
        expect(parsePendingSecret(secret)).toBe(secret);
      }
    });

    it('hashes secrets to 32 bytes that do not contain them, always the same and each differently', () => {
      const codes = secrets.createRecoveryCodes();
      const hashes = codes.map(secrets.hashOfRecoveryCode);
      const pending = secrets.createPending();
      expect(new Set([...hashes, secrets.hashOfPending(pending)]).size).toBe(RECOVERY_CODES + 1);
      for (const [index, code] of codes.entries()) {
        expect(hashes[index]).toMatch(/^[0-9a-f]{64}$/);
        expect(createSecrets().hashOfRecoveryCode(code)).toBe(hashes[index]);
      }
      expect(secrets.hashOfPending(pending)).toMatch(/^[0-9a-f]{64}$/);
      expect(createSecrets().hashOfPending(pending)).toBe(secrets.hashOfPending(pending));
    });
  });
}
