import { webhookSenderContract } from './contracts/index.ts';
import { createFakeWebhookSender } from './fake-webhook-sender.ts';

webhookSenderContract('The fake', async () => {
  const sender = createFakeWebhookSender();
  return {
    sender,
    url: 'https://hooks.example/',
    answer: ({ status, retryAfter }) =>
      sender.answers({ kind: 'answered', status, ...(retryAfter !== undefined && { retryAfter }) }),
    received: () => sender.sent,
    close: async () => undefined,
  };
});
