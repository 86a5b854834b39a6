import { askByName } from './ask-by-name.ts';
import { type HtmlForm, parsePage } from './html-forms.ts';

/** The input of a form by the labels of its fields. `true` checks a box. */
export type Typed = Readonly<Record<string, string | boolean>>;

export type Page = Awaited<ReturnType<Visitor['get']>>;

export type Visitor = ReturnType<typeof createVisitor>;

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How many redirects a visitor follows in a row. */
const MAX_REDIRECTS = 5;

/**
 * A client of the pages that keeps cookies, follows redirects and fills in forms, as a browser does without scripts.
 *
 * @param urls one server, or several that are asked in turn
 * @param origin the origin in the browser. Default: the URL of the first
 */
export function createVisitor(urls: string | readonly [string, ...string[]], origin?: string) {
  const servers = typeof urls === 'string' ? ([urls] as const) : urls;
  const host = origin === undefined ? {} : { host: new URL(origin).host };
  const cookies = new Map<string, string>();
  let asked = 0;

  /** Sends one request, and keeps the cookies that the response sets. */
  async function ask(path: string, { method = 'GET', body, headers = {} }: Sent = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const server = servers[asked % servers.length] ?? servers[0];
    asked += 1;
    const response = await askByName(server, path, {
      method,
      body,
      headers: { ...host, ...(cookie && { cookie }), accept: 'text/html', ...headers },
    });
    for (const line of response.headers.getSetCookie()) keep(line);
    return response;
  }

  function keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/; Max-Age=0(?:;|$)/.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }

  async function follow(path: string, sent: Sent = {}) {
    let [here, response] = [path, await ask(path, sent)];
    for (let turn = 0; response.status === 303; turn += 1) {
      if (turn === MAX_REDIRECTS) throw new Error(`too many redirects, the last to ${here}`);
      here = response.headers.get('location') ?? '';
      response = await ask(here);
    }
    return pageOf(here, response);
  }

  function pageOf(path: string, { status, headers, text }: Awaited<ReturnType<typeof ask>>) {
    const parsed = parsePage(text);
    const formWith = (button: string, among?: string) => {
      const found = parsed.forms.filter(
        (form) => form.button === button && (among === undefined || form.around.includes(among)),
      );
      if (found.length !== 1)
        throw new Error(`${found.length} forms have the button ${button} on ${path}:\n${text}`);
      return found[0] as HtmlForm;
    };
    return {
      ...parsed,
      /** The path of the page with its query, after redirects. */
      path,
      status,
      headers,
      html: text,
      formWith,
      /** Returns the values that the form with this button would send. */
      fill: (button: string, typed: Typed = {}, among?: string) => formWith(button, among).fill(typed),
      /**
       * Fills in the form with this button and sends it. @param among a text in the row of the form, if several rows have the
       * button
       */
      submit: (button: string, typed: Typed = {}, among?: string) => {
        const form = formWith(button, among);
        const values = form.fill(typed);
        if (form.method === 'get') return follow(`${form.action || path.replace(/\?.*/, '')}?${values}`);
        return post(form.action || path, values);
      },
      /** Follows the link with this text. */
      follow: (link: string) => {
        const href = parsed.links.find(({ text: label }) => label === link)?.href;
        if (href === undefined) throw new Error(`no link ${link} on ${path}:\n${text}`);
        // Lists have relative links.
        const { pathname, search } = new URL(href, `http://visited.example${path}`);
        return follow(pathname + search);
      },
    };
  }

  function post(path: string, values: URLSearchParams, headers: Readonly<Record<string, string>> = {}) {
    const type = { 'content-type': 'application/x-www-form-urlencoded', origin: origin ?? servers[0] };
    return follow(path, { method: 'POST', body: `${values}`, headers: { ...type, ...headers } });
  }

  return {
    /** The values of the cookies by their names. A test may change them. */
    cookies,
    ask,
    get: (path: string, headers: Readonly<Record<string, string>> = {}) => follow(path, { headers }),
    post,
    /** Signs in on this page, and returns the page to which the sign-in leads. */
    async signIn(credentials: { readonly email: string; readonly password: string }, path = '/sign-in') {
      const page = await follow(path);
      return page.submit('Sign in', { Email: credentials.email, Password: credentials.password });
    },
  };
}
