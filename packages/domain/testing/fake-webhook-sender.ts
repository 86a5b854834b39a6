import { err, ok } from '../src/result.ts';
import type { SignedMessage, WebhookSender } from '../src/webhooks/index.ts';

type Sent = Awaited<ReturnType<WebhookSender['send']>>;

export interface FakeWebhookSender extends WebhookSender {
  /** The messages that were sent, oldest first. */
  readonly sent: readonly SignedMessage[];
  /** Sets how receivers answer from now on, in this order; the last answer stays. The first answer is 204. */
  readonly answers: (...next: readonly [Sent, ...Sent[]]) => void;
}

/** Creates a WebhookSender for tests that sends nothing. It knows no network but the public one. */
export function createFakeWebhookSender(): FakeWebhookSender {
  const sent: SignedMessage[] = [];
  let answers: readonly Sent[] = [{ kind: 'answered', status: 204 }];
  return {
    sent,
    answers(...next) {
      answers = next;
    },
    checkAddress(text) {
      const url = URL.parse(text);
      if (url === null) return err('is not a URL');
      if (url.protocol !== 'https:') return err('must begin with https://');
      if (url.username !== '' || url.password !== '') return err('must not contain a user or a password');
      url.hash = '';
      return ok({ url: url.href, host: url.host });
    },
    async send(message) {
      sent.push(message);
      const [answer = { kind: 'answered' as const, status: 204 }, ...others] = answers;
      if (others.length > 0) answers = others;
      return answer;
    },
  };
}
