import { readFileSync } from 'node:fs';
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

test('the documented program accepts a signature, and neither another body nor an old time', async () => {
  const page = readFileSync(new URL('../../../docs/administer/webhooks.md', import.meta.url), 'utf8');
  const program = /```js\n(.*?)```/s.exec(page)?.[1] ?? expect.fail();
  const { isFromGatehouse } = await import(`data:text/javascript,${encodeURIComponent(program)}`);
  const secrets = createWebhookSecrets();
  const secret = secrets.create();
  const verdict = (time: number, received: string, key = secret) => {
    const signature = secrets.sign(key, `msg_1.${time}.{"name":"ä"}`);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': `${time}`,
      'webhook-signature': `v1,AAAA v1,${signature}`,
    };
    return isFromGatehouse(headers, Buffer.from(received), `${secrets.textOf(secret)}\n`);
  };
  const now = Math.floor(Date.now() / 1000);
  expect(verdict(now, '{"name":"ä"}')).toBe(true);
  expect(verdict(now, '{"name":"a"}')).toBe(false);
  expect(verdict(now, '{"name":"ä"}', secrets.create())).toBe(false);
  expect(verdict(now - 400, '{"name":"ä"}')).toBe(false);
  expect(verdict(now + 400, '{"name":"ä"}')).toBe(false);
  expect(isFromGatehouse({}, Buffer.from(''), secrets.textOf(secret))).toBe(false);
});
