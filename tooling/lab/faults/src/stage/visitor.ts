import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { text } from 'node:stream/consumers';

export type Visitor = ReturnType<typeof createVisitor>;

interface VisitorOptions {
  /** The origin that servers know by `PUBLIC_URL`. */
  readonly origin: string;
  /** The addresses that get requests in turn: servers, without stickiness, or a proxy in front of them. */
  readonly urls: readonly string[];
  /** The certificate of the authority that signed the proxy's certificate. */
  readonly ca?: Buffer;
}

interface Sent {
  readonly fields?: URLSearchParams;
  /** Replaces the header fields of a browser; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A client of the pages that keeps cookies as a browser does. Each request has a connection of its own. */
export function createVisitor({ origin, urls, ca }: VisitorOptions) {
  const cookies = new Map<string, string>();
  let turn = 0;

  /** Sends a GET or, with fields, a form. Redirects are not followed. */
  async function ask(path: string, { fields, headers = {} }: Sent = {}) {
    const url = new URL(path, urls[turn % urls.length]);
    turn += 1;
    const all = {
      host: new URL(origin).host,
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') || undefined,
      ...(fields && { origin, 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    };
    const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const options = { method: fields ? 'POST' : 'GET', headers: present, agent: false, ...(ca && { ca }) };
    const asked = url.protocol === 'https:' ? requestSecure(url, options) : requestPlain(url, options);
    const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve).once('error', reject);
      asked.end(fields?.toString());
    });
    for (const line of response.headers['set-cookie'] ?? []) keep(line);
    const body = await text(response);
    return { status: response.statusCode ?? 0, headers: response.headers, text: body };
  }

  function keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/; Max-Age=0(?:;|$)/.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }

  return {
    /** The cookies by name. A test may change them. */
    cookies,
    ask,
    /** Returns the fields of the page's form that is sent to this path, with these values in place of some. */
    async form(page: string, action: string, values: Readonly<Record<string, string>>) {
      const { text: html } = await ask(page);
      return formOf(html, action, values);
    },
    async signIn({ email, password }: { readonly email: string; readonly password: string }) {
      const { text: html } = await ask('/sign-in');
      return ask('/sign-in', { fields: formOf(html, '/sign-in', { email, password }) });
    },
  };
}

function formOf(html: string, action: string, values: Readonly<Record<string, string>>): URLSearchParams {
  const [, content] = new RegExp(`<form\\b[^>]* action="${action}"[^>]*>(.*?)</form>`, 's').exec(html) ?? [];
  if (content === undefined) throw new Error(`no form that is sent to ${action}:\n${html}`);
  const fields = new URLSearchParams();
  for (const [input] of content.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)) {
    const [, name = ''] = / name="([^"]*)"/.exec(input) ?? [];
    const [, value = ''] = / value="([^"]*)"/.exec(input) ?? [];
    if (name !== '') fields.append(name, value);
  }
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  return fields;
}
