import { type Html, html } from '../html.ts';
import { marked } from './code.ts';
import type { Description, HeaderField } from './description.ts';

/** The header fields of all responses, also those of single routes. */
export function headerList({ components, paths }: Description): Html {
  const own = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ headers }) => Object.entries(headers))
    .filter((entry): entry is [string, HeaderField] => !('$ref' in entry[1]));
  // `PossibleChallenge` is `WWW-Authenticate` in responses that may lack it.
  const shared = Object.entries(components.headers).filter(([name]) => name !== 'PossibleChallenge');
  const fields = new Map(own.map(([name, field]) => [name.toLowerCase(), [name, field] as const]));
  for (const [name, field] of shared) fields.set(name.toLowerCase(), [name, field]);
  return html`<dl class="facts">${Array.from(
    fields,
    ([id, [name, { description }]]) =>
      html`<div id="header-${id}"><dt><code>${name}</code></dt><dd>${marked(description)}</dd></div>
`,
  )}</dl>`;
}
