import { type Html, html } from '../html.ts';
import { API_TOKENS } from '../paths.ts';
import { codeBlock } from './code.ts';

/** Says how to call the API of this server. */
export function introduction(origin: string): Html {
  return html`<section id="authentication"><h2>How to send a token</h2>
<p>The API is at <code>${origin}</code>. Send a token with each request, in a header field and nowhere else:</p>
<pre tabindex="0"><code>Authorization: Bearer TOKEN</code></pre>
<p>Admins make tokens on the page <a href="${API_TOKENS}">API tokens</a>, with the scopes that the program needs. <a href="#signIn">Signing in</a>
gives a token for a person. The examples below read it from the environment:</p>
<pre tabindex="0"><code>export GATEHOUSE_TOKEN=…</code></pre>
<p>A token that was revoked is refused by every server within a second. The answers
to a token that expires say when, in <a href="#header-x-token-expires-at">X-Token-Expires-At</a>.</p></section>
`;
}

/** Says how to call the API from TypeScript and JavaScript. */
export function typedClient(origin: string): Html {
  return html`<section id="client"><h2>Typed client</h2>
<p>For programs in TypeScript and JavaScript there is the package <code>@gatehouse/client</code>, without dependencies, for Node 20 or
newer and for browsers. Those who run this server build it by <code>npm run build:client</code>, also with the resources that they
added. The compiler knows the body of each answer:</p>
${codeBlock(clientProgram(origin))}</section>
`;
}

/** Lists the limits on requests. */
export function limits(): Html {
  return html`<section id="limits"><h2>Limits</h2>
<ul>
<li>A body has at most 16 KiB, uncompressed. A form has at most 16 fields.</li>
<li>Header fields have at most 16 KiB together, and there are at most 200.</li>
<li>A list has at most 100 items on a page; <code>next_cursor</code> leads to the next one.</li>
<li>Sign-ins are limited by address and by user. An answer with status 429 says in <code>Retry-After</code> when to go on.</li>
<li>Requests with a token are not counted. A server that has too much to do answers 503 with <code>Retry-After</code>.</li>
</ul></section>
`;
}

/** Lists what can change in version 1 of the API, and what cannot. */
export function promises(): Html {
  return html`<section id="versions"><h2>What version 1 promises</h2>
<p>These do not change while the paths begin with <code>/api/v1</code>:</p>
<ul>
<li>Paths, methods, parameters, and the scopes that operations need.</li>
<li>The members of bodies, their types, and which are always there.</li>
<li>The <code>type</code> and the status of each problem, and which operation has it.</li>
</ul>
<p>These may come at any time, and clients ignore what they do not know:</p>
<ul>
<li>Paths, optional parameters, members of answers, and header fields.</li>
<li>Problems of a status that an operation has already: decide by <code>type</code>, and else by the status.</li>
<li>Other words in <code>title</code> and in descriptions.</li>
</ul></section>
`;
}

/**
 * A program that uses the typed client. It is the program of packages/client/README.md, which a test compiles and runs. An origin
 * has no quotes, so it needs no escaping.
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
