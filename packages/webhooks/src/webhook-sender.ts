import { constants } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { DEFAULT_CIPHERS } from 'node:tls';
import { ok, type Result } from '@gatehouse/domain';
import { SEND_LIMIT_MS, type SignedMessage, type WebhookSender } from '@gatehouse/domain/webhooks';
import { type AddressRules, parseReceiver } from './check-address.ts';
import { createCheckedLookup } from './checked-lookup.ts';
import { AnswerTooLong, problemOf } from './problem-of.ts';
import { createDnsResolve, type Resolve } from './resolve-by-dns.ts';

export interface WebhookSenderOptions extends AddressRules {
  /** Certificates of authorities that are trusted instead of those of the machine. For tests. */
  readonly ca?: string;
  /** For tests. */
  readonly resolve?: Resolve;
  /** For tests. */
  readonly limitMs?: number;
}

type Sent = Awaited<ReturnType<WebhookSender['send']>>;

/** The longest value of `Retry-After` that is read. */
const MAX_RETRY_AFTER = 100;

/** Headers of an answer that are larger in all end it, in bytes. */
const MAX_ANSWER_HEADERS = 16_384;

/**
 * The largest number of bytes up to the headers of the answer. Empty lines and interim responses (1xx) may precede them,
 * and an endless number of them would keep this process from its other work.
 */
const MAX_ANSWER_BEGINNING = 65_536;

/**
 * Creates a sender that connects to public addresses only, and to networks that the operator opened (ADR 98). Each
 * message has a connection of its own, whose addresses were checked for it.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { networks, ca, resolve = createDnsResolve(), limitMs = SEND_LIMIT_MS } = options;
  // Agents of our own: the global ones could use a proxy, which would connect to any address.
  const agents = {
    http: new HttpAgent({ keepAlive: false }),
    // Without sessions, each connection verifies the name of the receiver.
    https: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }),
  };
  const common: RequestOptions = {
    method: 'POST',
    lookup: createCheckedLookup(resolve, networks),
    maxHeaderSize: MAX_ANSWER_HEADERS,
  };
  const tls = {
    ca,
    // Also if NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
    // A receiver would let this process make handshakes without an end.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    // A receiver would choose a group of 8192 bits, whose handshake stops this process for a quarter of a second.
    ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  };

  function open(url: URL, parts: RequestOptions) {
    return url.protocol === 'https:'
      ? httpsRequest(url, { ...common, ...parts, agent: agents.https, ...tls })
      : httpRequest(url, { ...common, ...parts, agent: agents.http });
  }

  return {
    checkAddress(text) {
      const url: Result<URL, string> = parseReceiver(text, options);
      return url.ok ? ok({ url: url.value.href, host: url.value.host }) : url;
    },

    async send({ url: text, headers, body }: SignedMessage): Promise<Sent> {
      const url = parseReceiver(text, options);
      if (!url.ok) return { kind: 'failed', problem: 'address_refused' };
      const { promise, resolve: end } = Promise.withResolvers<Sent>();
      const request = open(url.value, {
        headers: { ...headers, 'user-agent': 'Gatehouse', 'content-length': Buffer.byteLength(body) },
      });
      const timer = setTimeout(() => {
        end({ kind: 'failed', problem: 'timed_out' });
        request.destroy();
      }, limitMs);
      request.on('error', (error) => end({ kind: 'failed', problem: problemOf(error) }));
      request.on('socket', (socket) => {
        let received = 0;
        socket.on('data', ({ length }: Buffer) => {
          received += length;
          if (received > MAX_ANSWER_BEGINNING) request.destroy(new AnswerTooLong());
        });
      });
      // The connection is no longer that of the request then.
      request.on('upgrade', ({ statusCode: status = 101 }, socket) => {
        end({ kind: 'answered', status });
        socket.destroy();
      });
      request.on('response', (response) => {
        const retryAfter = response.headers['retry-after']?.slice(0, MAX_RETRY_AFTER);
        const status = response.statusCode ?? 0;
        end({ kind: 'answered', status, ...(retryAfter !== undefined && { retryAfter }) });
        // Nothing of the body is read: it could be endless, or what an inner server says.
        request.destroy();
      });
      request.end(body);
      return promise.finally(() => clearTimeout(timer));
    },
  };
}
