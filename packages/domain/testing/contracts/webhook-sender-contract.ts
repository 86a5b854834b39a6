import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SendOutcome, WebhookSender } from '../../src/webhooks/index.ts';

/** A receiver that answers as it is told. */
export interface WebhookReceiver {
  readonly sender: WebhookSender;
  readonly url: string;
  answer(answer: { readonly status: number; readonly retryAfter?: string }): void;
  /** The messages that it got, oldest first. */
  received(): readonly { readonly headers: Readonly<Record<string, unknown>>; readonly body: string }[];
  close(): Promise<void>;
}

/** The contract of every WebhookSender, with a receiver to which it may send. */
export function webhookSenderContract(name: string, open: () => Promise<WebhookReceiver>): void {
  describe(`${name} keeps the contract of WebhookSender`, () => {
    let receiver: WebhookReceiver;
    beforeAll(async () => {
      receiver = await open();
    });
    afterAll(() => receiver.close());
    const send = (body: string) =>
      receiver.sender.send({ url: receiver.url, headers: { 'webhook-id': 'msg_1' }, body });

    it('returns an address in its normal spelling, and its host', () => {
      expect(receiver.sender.checkAddress('HTTPS://Hooks.Example:443/a b#part')).toEqual({
        ok: true,
        value: { url: 'https://hooks.example/a%20b', host: 'hooks.example' },
      });
    });

    it.each(['', 'hooks.example/a', 'ftp://hooks.example', 'https://', 'https://user:secret@hooks.example'])(
      'refuses the address %o',
      (text) => {
        expect(receiver.sender.checkAddress(text)).toMatchObject({ ok: false });
      },
    );

    it('delivers the body and the headers as they are given', async () => {
      receiver.answer({ status: 204 });
      expect(await send('{"type":"ä"}')).toEqual<SendOutcome>({ kind: 'answered', status: 204 });
      const last = receiver.received().at(-1);
      expect(last?.body).toBe('{"type":"ä"}');
      expect(last?.headers).toMatchObject({ 'webhook-id': 'msg_1' });
    });

    it('returns the status and when to come again, and follows no redirect', async () => {
      receiver.answer({ status: 503, retryAfter: '120' });
      expect(await send('{}')).toEqual({ kind: 'answered', status: 503, retryAfter: '120' });
      receiver.answer({ status: 302 });
      expect(await send('{}')).toMatchObject({ kind: 'answered', status: 302 });
    });
  });
}
