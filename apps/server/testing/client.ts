/** Routes that many tests ask. */
export const ME = '/api/v1/me.json';
export const SIGN_IN_PATH = '/api/v1/auth.json';
export const FORM = 'application/x-www-form-urlencoded';

export interface Call {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: NonNullable<RequestInit['body']>;
}

export type Reply = Awaited<ReturnType<typeof call>>;

/** Sends a request and reads the whole response. */
export async function call(url: string, path: string, request: Call = {}) {
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
  return call(url, SIGN_IN_PATH, { method: 'POST', body, ...more, headers });
}

/** Signs in with a body of any type. */
export const postSignIn = (
  url: string,
  body: NonNullable<Call['body']>,
  type?: string,
  headers: Readonly<Record<string, string>> = {},
) =>
  call(url, SIGN_IN_PATH, {
    method: 'POST',
    body,
    headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
  });

/** The token in the response to a sign-in. */
export const tokenIn = ({ json }: Reply) => (json as { readonly token: string }).token;

/** Returns the status and the type of the problem. */
export const problemOf = ({ status, json }: Pick<Reply, 'status' | 'json'>) => [
  status,
  (json as { type: string }).type.replace('urn:gatehouse:problem:', ''),
];

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
