import { type Html, html } from '../html.ts';
import { API_TOKENS } from '../paths.ts';
import { codeBlock } from './code.ts';

/** Says how to call the API of this server. */
export function introduction(origin: string): Html {
  return html`<section id="authentication"><h2>How to send a token</h2>
<p>The API is at <code>${origin}</code>. Send a token with each request, only in this header field:</p>
<pre tabindex="0"><code>Authorization: Bearer TOKEN</code></pre>
<p>Admins create tokens on the page <a href="${API_TOKENS}">API tokens</a>, with the scopes that a program needs. A person gets a token by
<a href="#signIn">signing in</a>. The examples on this page read the token from an environment variable:</p>
<pre tabindex="0"><code>export GATEHOUSE_TOKEN=…</code></pre>
<p>A service that <a href="#introspectToken">introspects tokens</a> sends its own credential in the same field, or by HTTP Basic with the
name of the service. The operators of this server create the credential:</p>
<pre tabindex="0"><code>export GATEHOUSE_CREDENTIAL=…</code></pre>
<p>Within a second of a revocation, every server refuses the token. If a token
expires, each answer has the time in <a href="#header-x-token-expires-at">X-Token-Expires-At</a>.</p></section>
`;
}

/** Says how to call the API from TypeScript and JavaScript. */
export function typedClient(origin: string): Html {
  return html`<section id="client"><h2>Typed client</h2>
<p>Programs in TypeScript and JavaScript can use the package <code>@gatehouse/client</code>. It has no dependencies, and runs in
Node 20 or newer and in browsers. Ask the operators of this server for the package: they build it by
<code>npm run build:client</code>, also for the routes that extensions add to this API. The TypeScript compiler knows the type of
each answer’s body:</p>
${codeBlock(clientProgram(origin))}</section>
`;
}

/** Lists the limits on requests. */
export function limits(): Html {
  return html`<section id="limits"><h2>Limits</h2>
<ul>
<li>A body has at most 16 KiB, uncompressed. A form has at most 16 fields.</li>
<li>A request has at most 200 header fields, with at most 16 KiB together.</li>
<li>A page of a list has at most 100 items; <code>next_cursor</code> leads to the next page.</li>
<li>Sign-ins are limited for each address and for each user. An answer with status 429 says in <code>Retry-After</code> after how many seconds to try again.</li>
<li>The number of requests with a token is not limited. An overloaded server answers 503 with <code>Retry-After</code>.</li>
</ul></section>
`;
}

/** Lists what can change in version 1 of the API, and what cannot. */
export function promises(): Html {
  return html`<section id="versions"><h2>What version 1 promises</h2>
<p>These do not change while the paths begin with <code>/api/v1</code>:</p>
<ul>
<li>Paths, methods, parameters, and the scopes that operations need.</li>
<li>The members of bodies, their types, and which members are always present.</li>
<li>The <code>type</code> and the status of each problem, and which operations can answer with the problem.</li>
</ul>
<p>These may change at any time. Clients must ignore what they do not know:</p>
<ul>
<li>New paths, optional parameters, members of answers, and header fields.</li>
<li>New problems with a status that an operation already has. A client that does not know the <code>type</code> decides by the status.</li>
<li>The wording of <code>title</code> and of descriptions.</li>
</ul></section>
`;
}

/**
 * A program that uses the typed client. packages/client/README.md has the same program, which a test compiles and runs.
 * `origin` needs no escaping, because an origin contains no quotes.
 */
export const clientProgram = (origin: string) => `import { createClient } from '@gatehouse/client';

const client = createClient({
  baseUrl: process.env['GATEHOUSE_URL'] ?? '${origin}',
  // Called for each request: the client uses a rotated token without a restart.
  token: () => process.env['GATEHOUSE_TOKEN'] ?? '',
});

const answer = await client.getOrg(Number(process.env['ORGANIZATION'] ?? 1));
switch (answer.status) {
  case 200:
    console.log(answer.body.name);
    break;
  case 404:
    console.log('There is no such organization.');
    break;
  default:
    throw new Error(answer.status === 304 ? 'not asked for' : answer.body.title);
}`;
