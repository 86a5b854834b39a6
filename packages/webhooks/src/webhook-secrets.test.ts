import { webhookSecretsContract } from '@gatehouse/domain/testing/contracts';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createWebhookSecrets } from './webhook-secrets.ts';

webhookSecretsContract('node:crypto', createWebhookSecrets);

test('the library of Standard Webhooks verifies a signature, and no other one', () => {
  const secrets = createWebhookSecrets();
  const secret = secrets.create();
  const timestamp = `${Math.floor(Date.now() / 1000)}`;
  const body = '{"type":"webhook.test","data":{"name":"ä"}}';
  const headers = (content: string) => ({
    'webhook-id': 'msg_1_2',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${secrets.sign(secrets.create(), content)} v1,${secrets.sign(secret, content)}`,
  });
  const webhook = new Webhook(secrets.textOf(secret));
  expect(webhook.verify(body, headers(`msg_1_2.${timestamp}.${body}`))).toEqual(JSON.parse(body));
  expect(() => webhook.verify(body, headers(`msg_1_3.${timestamp}.${body}`))).toThrow(
    'No matching signature',
  );
});
