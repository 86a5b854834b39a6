import { attributes, type Html, html } from '../html.ts';

interface Tab {
  readonly href: string;
  readonly label: string;
  readonly count: string;
  readonly isCurrent: boolean;
}

/** The sections of a list, each with its count. One is shown. */
export function tabs(label: string, all: readonly Tab[]): Html {
  return html`<nav class="tabs"${attributes({ 'aria-label': label })}>${all.map(
    ({ href, label: text, count, isCurrent }) =>
      html`<a${attributes({ href, 'aria-current': isCurrent && 'page' })}>${text} <span class="count">${count}</span></a>`,
  )}</nav>`;
}
