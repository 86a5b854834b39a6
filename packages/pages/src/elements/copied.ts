import { type Html, html } from '../html.ts';

/** Renders a text with a button that copies the text. The button is hidden in browsers without scripts. */
export function copied(id: string, shown: Html, label: string): Html {
  return html`<div class="copied">${shown}<button type="button" class="button" data-copy="${id}" hidden>${label}</button></div>`;
}
