/** The requests of a verifier to Gatehouse. None follows a redirect, because each could carry the credential elsewhere. */
export interface Gatehouse {
  /** @throws if the answer is not 200 with JSON of at most so many bytes */
  getJson(path: string, maxBytes: number): Promise<unknown>;
  /** Sends a form with the service's credential. */
  postForm(path: string, form: Record<string, string>, signal: AbortSignal): Promise<Response>;
  /** Sends JSON with the service's credential. */
  postJson(path: string, body: unknown, signal: AbortSignal): Promise<Response>;
  /** Asks for a stream with the service's credential. */
  openStream(path: string, signal: AbortSignal): Promise<Response>;
}

export interface GatehouseOptions {
  /** Such as `https://gatehouse.example`. */
  readonly url: string;
  /** The credential of the service, `ghs_...`. */
  readonly credential: string;
  readonly fetch: typeof fetch;
}

/** Keys take longer to fetch at the start of a server, and nothing is decided by them alone. */
const KEYS_TIMEOUT_MS = 5000;

export function createGatehouse({ url, credential, fetch }: GatehouseOptions): Gatehouse {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (!base || !/^https?:$/.test(base.protocol))
    throw new TypeError('url must be an address such as https://gatehouse.example');
  if (base.username || base.password || base.search || base.hash)
    throw new TypeError('url must have no user, no password, no query and no fragment');
  if (!/^ghs_[\w-]+$/.test(credential))
    throw new TypeError('credential must be a credential of a service, ghs_...');
  const authorization = `Bearer ${credential}`;
  const prefix = base.href.replace(/\/+$/, '');
  const redirect = 'manual';

  return {
    async getJson(path, maxBytes) {
      const response = await fetch(`${prefix}${path}`, {
        redirect,
        signal: AbortSignal.timeout(KEYS_TIMEOUT_MS),
      });
      return readJson(response, maxBytes);
    },
    postForm: (path, form, signal) =>
      fetch(`${prefix}${path}`, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams(form),
        redirect,
        signal,
      }),
    postJson: (path, body, signal) =>
      fetch(`${prefix}${path}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect,
        signal,
      }),
    openStream: (path, signal) =>
      fetch(`${prefix}${path}`, {
        headers: { authorization, accept: 'text/event-stream' },
        cache: 'no-store',
        redirect,
        signal,
      }),
  };
}

/** @throws if the answer is not 200 with JSON of at most so many bytes */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    throw new Error(`Gatehouse answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}
