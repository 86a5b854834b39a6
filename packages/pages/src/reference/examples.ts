import { choices } from '../elements/field.ts';
import { type Html, html } from '../html.ts';
import { codeBlock } from './code.ts';
import { type ExampleRequest, type Language, SNIPPETS } from './snippets.ts';

const LANGUAGES = Object.keys(SNIPPETS) as Language[];

/**
 * The choice of a language for all examples; `reference.css` hides the others. Initially all are shown, as in print.
 */
export function languageChoice(): Html {
  return choices({
    type: 'radio',
    name: 'examples',
    label: 'Examples in',
    choices: ['all', ...LANGUAGES].map((value) => ({ value, label: value })),
    chosen: ['all'],
  });
}

/** The same request in each language. */
export function examples(request: ExampleRequest): Html {
  return html`${LANGUAGES.map(
    (language) =>
      html`<div class="example" data-in="${language}"><p class="hint">${language}</p>${codeBlock(SNIPPETS[language](request), language)}</div>`,
  )}`;
}
