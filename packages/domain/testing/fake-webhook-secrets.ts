import { createHash, createHmac } from 'node:crypto';
import { WEBHOOK_SECRET_BYTES, type WebhookSecrets } from '../src/webhooks/index.ts';

/** Creates WebhookSecrets for tests that always create the same secrets in the same order. Its signatures are genuine. */
export function createFakeWebhookSecrets(): WebhookSecrets {
  let count = 0;
  return {
    create() {
      count += 1;
      const digest = createHash('sha256').update(`webhook ${count}`).digest();
      return Uint8Array.from(digest.subarray(0, WEBHOOK_SECRET_BYTES));
    },
    textOf: (secret) => `whsec_${Buffer.from(secret).toString('base64')}`,
    sign: (secret, content) => createHmac('sha256', secret).update(content).digest('base64'),
  };
}
