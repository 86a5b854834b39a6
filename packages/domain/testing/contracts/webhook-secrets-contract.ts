import { describe, expect, it } from 'vitest';
import { WEBHOOK_SECRET_BYTES, type WebhookSecrets } from '../../src/webhooks/index.ts';

/** The contract of every WebhookSecrets. */
export function webhookSecretsContract(name: string, create: () => WebhookSecrets): void {
  describe(`${name} keeps the contract of WebhookSecrets`, () => {
    const secrets = create();

    it('creates a new secret of 32 bytes each time', () => {
      const made = Array.from({ length: 50 }, () => secrets.create());
      expect(new Set(made.map((each) => Buffer.from(each).toString('hex'))).size).toBe(50);
      expect(made.every(({ length }) => length === WEBHOOK_SECRET_BYTES)).toBe(true);
    });

    it('writes a secret with its prefix in base64', () => {
      expect(secrets.textOf(new Uint8Array(32).fill(255))).toBe(
        'whsec_//////////////////////////////////////////8=',
      );
    });

    it('signs with HMAC-SHA-256 (RFC 4231, test case 2)', () => {
      const mac = secrets.sign(new TextEncoder().encode('Jefe'), 'what do ya want for nothing?');
      expect(Buffer.from(mac, 'base64').toString('hex')).toBe(
        '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      );
    });
  });
}
