import { type Answer, NO_JSON, readAnswer } from './answer.ts';
import { RequestFailed, UnexpectedAnswer } from './errors.ts';
import { tellExpiry } from './expires-soon.ts';
import { type Operation, requestOf } from './operation.ts';
import type { CallOptions, Settings } from './options.ts';

/** With these statuses, the server did not carry out the request, so the client may send it again. */
const NOT_CARRIED_OUT = [429, 503];

/**
 * Sends a request. After a 429 or 503, waits as long as `Retry-After` says, and sends a safe request again.
 *
 * @throws TypeError before anything is sent if the input cannot be sent, RequestFailed, UnexpectedAnswer, the reason of the
 *   caller's signal, and the error that the caller's `token` throws
 */
export async function send(
  settings: Settings,
  id: string,
  operation: Operation,
  input: unknown,
  options: CallOptions = {},
): Promise<Answer<number, unknown>> {
  const request = requestOf(operation, input);
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  const endsAt = performance.now() + settings.timeoutMs;
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const isSafe = operation.method === 'GET' || options.retryUnsafe === true;
  try {
    for (let left = isSafe ? settings.retries : 0; ; left -= 1) {
      const answer = await sendOnce(settings, operation, request, options, signal);
      const pause = left > 0 && NOT_CARRIED_OUT.includes(answer.status) ? retryAfterMs(answer) : undefined;
      if (pause === undefined || performance.now() + pause > endsAt) return expected(id, operation, answer);
      await settings.wait(pause, signal);
    }
  } catch (error) {
    if (error instanceof UnexpectedAnswer) throw error;
    if (error instanceof NoToken) throw error.cause;
    options.signal?.throwIfAborted();
    const why = timeout.aborted ? `took longer than ${settings.timeoutMs} ms` : 'got no answer';
    throw new RequestFailed(`${id} ${why}`, { cause: error });
  }
}

/** Carries the error that the caller's `token` function threw. `send` throws that error, and not a `RequestFailed`. */
class NoToken extends Error {}

/** @throws NoToken if the caller's `token` function throws, or the signal's reason if the signal is aborted first */
function tokenOf(settings: Settings, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    settings
      .token()
      .then(resolve, (cause: unknown) => reject(new NoToken('no token', { cause })))
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

const FORM = 'application/x-www-form-urlencoded';

async function sendOnce(
  settings: Settings,
  operation: Operation,
  { target, body }: ReturnType<typeof requestOf>,
  options: CallOptions,
  signal: AbortSignal,
): Promise<Answer<number, unknown>> {
  const token = operation.needsToken ? await tokenOf(settings, signal) : undefined;
  const headers = new Headers(options.headers);
  headers.set('accept', 'application/json');
  if (body !== undefined) headers.set('content-type', operation.isForm ? FORM : 'application/json');
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const init: RequestInit = {
    method: operation.method,
    headers,
    signal,
    // Redirects are not followed, so that the token is never sent to another address. Cookies are never sent.
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
    ...(body !== undefined && { body }),
  };
  const answer = await readAnswer(await settings.fetch(`${settings.base}${target}`, init));
  tellExpiry(settings.onExpiresSoon, token, answer.tokenExpiresAt);
  return answer;
}

/** Returns `Retry-After` in milliseconds; undefined if it is not a number of seconds. */
function retryAfterMs({ headers }: Answer<number, unknown>): number | undefined {
  const seconds = headers.get('retry-after');
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

function expected(id: string, { statuses }: Operation, answer: Answer<number, unknown>) {
  if (!statuses.includes(answer.status) || answer.body === NO_JSON)
    throw new UnexpectedAnswer(id, answer.status);
  return answer;
}
