/** An answer. Its status determines the type of its body: parsed JSON, or undefined without a body. */
export interface Answer<Status extends number, Body> {
  readonly status: Status;
  readonly body: Body;
  readonly headers: Headers;
  /**
   * When the token that was sent with the request expires. For a sign-in: when the new token expires. Undefined if the
   * token never expires, or if the server did not send the time.
   */
  readonly tokenExpiresAt: Date | undefined;
}

/** The body of an answer that reports a problem (RFC 9457 section 3.1), with this status, type and title. */
export interface ProblemOf<Status extends number, Type extends string, Title extends string> {
  readonly type: Type;
  readonly title: Title;
  readonly status: Status;
}

/** Reads a response. If its text is not JSON, the response comes from a proxy, and the body is `NO_JSON`. */
export async function readAnswer(response: Response): Promise<Answer<number, unknown>> {
  const { status, headers } = response;
  const expiry = Date.parse(headers.get('x-token-expires-at') ?? '');
  const text = await response.text();
  return {
    status,
    headers,
    body: text === '' ? undefined : parse(text, headers.get('content-type')),
    tokenExpiresAt: Number.isNaN(expiry) ? undefined : new Date(expiry),
  };
}

/** The value of a body that is not JSON. */
export const NO_JSON = Symbol('no JSON');

function parse(text: string, type: string | null): unknown {
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type ?? '')) return NO_JSON;
  try {
    return JSON.parse(text);
  } catch {
    return NO_JSON;
  }
}
