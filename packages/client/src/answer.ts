/** An answer, told apart by its status. A body of JSON is parsed; an answer without a body has undefined. */
export interface Answer<Status extends number, Body> {
  readonly status: Status;
  readonly body: Body;
  readonly headers: Headers;
  /** When the token ends that the request had or the answer brings; undefined if it never does, or is not known. */
  readonly tokenExpiresAt: Date | undefined;
}

/** Reads an answer. Text that is no JSON has no body: a proxy wrote it. */
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

/** Stands for a body that is no JSON. */
export const NO_JSON = Symbol('no JSON');

function parse(text: string, type: string | null): unknown {
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type ?? '')) return NO_JSON;
  try {
    return JSON.parse(text);
  } catch {
    return NO_JSON;
  }
}
