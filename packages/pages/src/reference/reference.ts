import type { Endpoint } from '@gatehouse/http';
import { type Html, html } from '../html.ts';
import type { PagePorts } from '../ports.ts';
import { type FindSignedIn, openPage } from '../session/open-page.ts';
import { type View, view } from '../view.ts';
import { marked } from './code.ts';
import { type Description, descriptionOf, operationsByTag } from './description.ts';
import { introduction, limits, promises, typedClient } from './introduction.ts';
import { operationSection } from './operation.ts';
import { problemList } from './problem-list.ts';
import { languageChoice } from './snippets.ts';

type Ports = Pick<PagePorts, 'findSite' | 'describe'>;

/** `/docs`: the reference of the API on one page, made from the document that `/openapi.json` returns. */
export function referencePage({ findSite, describe }: Ports, findSignedIn: FindSignedIn): Endpoint {
  // Only the page of the last origin is cached. With `PUBLIC_URL` there is only one origin, and without `PUBLIC_URL`
  // there are a few on the same machine.
  let made: { readonly origin: string; readonly shown: View } | undefined;
  return openPage(findSite, findSignedIn, ({ origin }) => {
    if (made?.origin !== origin) made = { origin, shown: viewOf(descriptionOf(describe()), origin) };
    return made.shown;
  });
}

function viewOf(description: Description, origin: string): View {
  const groups = operationsByTag(description).filter(({ operations }) => operations.length > 0);
  return view({
    title: 'API reference',
    width: 'wide',
    styles: ['reference.css'],
    scripts: ['copy.js', 'examples-language.js', 'reading-position.js', 'try-it.js'],
    content: html`<p class="lead">Version ${description.info.version}. ${marked(description.info.description)}</p>
<p><a href="/openapi.json">This reference as an OpenAPI document</a></p>
<div class="contents">${languageChoice()}<nav aria-label="Contents"><ul>
<li><a href="#authentication">How to send a token</a></li>
<li><a href="#client">Typed client</a></li>
${groups.map(
  ({
    tag,
    operations,
  }) => html`<li><a href="#tag-${tag.name}">${tag.name}</a><ul>${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}</ul></li>
`,
)}<li><a href="#headers">Response headers</a></li>
<li><a href="#problems">Problems</a></li>
<li><a href="#limits">Limits</a></li>
<li><a href="#versions">What version 1 promises</a></li>
</ul></nav></div>
${introduction(origin)}${typedClient(origin)}${groups.map(
  ({ tag, operations }) => html`<section id="tag-${tag.name}"><h2>${tag.name}</h2>
<p>${tag.description}</p>
${operations.map((placed) => operationSection(origin, placed))}</section>
`,
)}<section id="headers"><h2>Response headers</h2>
${headerList(description)}</section>
<section id="problems"><h2>Problems</h2>
<p>Every error is a problem document (RFC 9457) of the type <code>application/problem+json</code>. Programs tell problems apart by <code>type</code>.</p>
${problemList(description)}</section>
${limits()}${promises()}`,
  });
}

/**
 * Lists the header fields of all responses: the fields that many routes share, and the fields that only some routes
 * have.
 */
function headerList({ components, paths }: Description): Html {
  const known = new Set(Object.values(components.headers).map(({ description }) => description));
  const own = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ headers }) => Object.entries(headers))
    .filter(([, { description }]) => !known.has(description));
  // The component `PossibleChallenge` describes the field `WWW-Authenticate` of responses that have this field only
  // sometimes. It is left out.
  const shared = Object.entries(components.headers).filter(([name]) => name !== 'PossibleChallenge');
  const fields = new Map([...own, ...shared].map((entry) => [entry[0].toLowerCase(), entry]));
  return html`<dl class="facts">${Array.from(
    fields,
    ([id, [name, { description }]]) =>
      html`<div id="header-${id}"><dt><code>${name}</code></dt><dd>${marked(description)}</dd></div>
`,
  )}</dl>`;
}
