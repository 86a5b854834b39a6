export interface Call {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: NonNullable<RequestInit['body']>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** Sends a request and reads the whole response. */
export async function call(url: string, path: string, request: Call = {}): Promise<Reply> {
  const { method = 'GET', token, headers = {}, body } = request;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

export function signInWith(url: string, fields: Readonly<Record<string, unknown>>, more: Call = {}) {
  const headers = { 'content-type': 'application/json', ...more.headers };
  const body = JSON.stringify(fields);
  return call(url, '/api/v1/auth.json', { method: 'POST', body, ...more, headers });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
