import type { MonotonicClock } from '@gatehouse/domain/time';
import type { CustomFetch } from 'openid-client';
import { ExchangeError } from './exchange-error.ts';
import type { ExchangeLimits } from './settings.ts';

/** Why a request failed before an answer came, by the code of the error of Node. */
const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'reset the connection',
  ENOTFOUND: 'has a host name that cannot be resolved',
  EAI_AGAIN: 'has a host name that cannot be resolved now',
  UND_ERR_SOCKET: 'closed the connection',
  UND_ERR_HEADERS_OVERFLOW: 'sent too many headers',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept a connection in time',
  HPE_HEADER_OVERFLOW: 'sent too many headers',
};

/** The requests to one provider. */
export interface ProviderRequests {
  /** Begins an exchange: every request of it ends before the time limit. */
  begin(limitMs: number): Exchange;
}

export interface Exchange {
  /** Sends a request. Follows no redirect, and reads the whole answer. Throws an `ExchangeError` if there is none. */
  readonly fetch: CustomFetch;
  /** Waits for work that other exchanges share, until the time limit. */
  within<T>(work: Promise<T>): Promise<T>;
}

/**
 * Sends requests to one provider. If it does not answer, it is not asked again during a pause: otherwise a provider that
 * is slow would hold each sign-in for the whole time limit.
 */
export function createProviderRequests(limits: ExchangeLimits, clock: MonotonicClock): ProviderRequests {
  let pausedUntil = Number.NEGATIVE_INFINITY;

  function unreachable(detail: string): ExchangeError {
    pausedUntil = clock.elapsedMs() + limits.pauseMs;
    return new ExchangeError('provider_unreachable', detail);
  }

  return {
    begin(limitMs) {
      const signal = AbortSignal.timeout(limitMs);
      const late = `the provider did not answer within ${limitMs} ms`;
      return {
        async fetch(address, { body, headers, method }) {
          if (clock.elapsedMs() < pausedUntil)
            throw new ExchangeError('provider_unreachable', 'the provider did not answer a moment ago');
          const where = new URL(address).origin;
          try {
            const init = { headers, method, redirect: 'manual', signal } as const;
            const answer = await fetch(address, { ...init, ...(body == null ? {} : { body: `${body}` }) });
            const bytes = await readBody(answer, limits.bytes);
            return new Response(bytes.length === 0 ? null : bytes, answer);
          } catch (error) {
            if (error instanceof ExchangeError) throw error;
            throw unreachable(signal.aborted ? late : `${where} ${causeOf(error)}`);
          }
        },
        within(work) {
          const { promise, reject } = Promise.withResolvers<never>();
          const end = () => reject(unreachable(late));
          if (signal.aborted) end();
          signal.addEventListener('abort', end);
          return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', end));
        },
      };
    },
  };
}

async function readBody(answer: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of answer.body ?? []) {
    length += part.length;
    if (length > most) throw new ExchangeError('answer_malformed', `an answer has more than ${most} bytes`);
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** Describes an error of a request by its code. Its text may contain the address, and so is not repeated. */
function causeOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? `${cause.code}` : '';
    if (code in CAUSES) return `${CAUSES[code]}`;
    if (/CERT|TLS|SSL|UNABLE_TO_VERIFY/.test(code)) return `has a certificate that is not accepted (${code})`;
  }
  return 'did not answer';
}
