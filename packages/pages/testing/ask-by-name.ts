import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

interface Question {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Sends a request with any `Host` field and reads the whole response. `fetch` would set the field itself. */
export async function askByName(url: string, path: string, { method, headers, body }: Question) {
  const sent = request(url, {
    method,
    path,
    headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
    agent: false,
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const fields = new Headers();
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) fields.append(name, value);
  return { status: response.statusCode ?? 0, headers: fields, text: await text(response) };
}
