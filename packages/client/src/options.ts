import type { OnExpiresSoon } from './expires-soon.ts';

export interface ClientOptions {
  /**
   * The address of the server, such as `https://gatehouse.example`. The client appends the paths of the API to this address.
   */
  readonly baseUrl: string;
  /**
   * The token, or a function that returns the current token. The function is called for each request, so it can return
   * a new token after a rotation.
   */
  readonly token?: string | (() => string | Promise<string>);
  /**
   * Called once in a process for each token that expires within 14 days, after a response that says so. Nothing waits for
   * it, and its errors are ignored.
   */
  readonly onExpiresSoon?: OnExpiresSoon;
  /** How long a call may take in total, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** How often a request is sent again after an answer 429 or 503. Default: 2. */
  readonly retries?: number;
  /** Sends the requests. Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch;
  /** Waits before a request is sent again. Default: by a timer. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Further header fields, such as `If-None-Match` or `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether requests that change something, such as a sign-in, are also sent again. Default: false. */
  readonly retryUnsafe?: boolean;
}

/** The options with their defaults. */
export interface Settings extends Required<Omit<ClientOptions, 'baseUrl' | 'token' | 'onExpiresSoon'>> {
  readonly base: string;
  readonly token: () => Promise<string | undefined>;
  readonly onExpiresSoon: OnExpiresSoon | undefined;
}

/** @throws TypeError with the wrong option and the accepted values */
export function settingsOf({ baseUrl, token, ...options }: ClientOptions): Settings {
  const { timeoutMs = 30_000, retries = 2 } = options;
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be a number of milliseconds above 0');
  if (!(retries >= 0)) throw new TypeError('retries must be 0 or more');
  return {
    base: baseOf(baseUrl),
    token: async () => (typeof token === 'function' ? await token() : token),
    onExpiresSoon: options.onExpiresSoon,
    timeoutMs,
    retries,
    // Browsers refuse to run `fetch` as a method of another object, such as `settings.fetch(...)`.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    wait: options.wait ?? waitByTimer,
  };
}

function baseOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl must be an http(s) URL such as https://gatehouse.example, not ${baseUrl}`);
  }
  if (url.search || url.hash || url.username || url.password) {
    throw new TypeError('baseUrl must have no query, no fragment and no password');
  }
  // `href` would keep the `?` of `https://gatehouse.example/?`, and the paths after it would become part of the query.
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function waitByTimer(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
