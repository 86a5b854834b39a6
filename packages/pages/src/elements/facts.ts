import { type Html, html, type Shown } from '../html.ts';

/** Facts by name. Those that are null are left out. */
export function facts(entries: readonly (readonly [label: string, value: Shown])[]): Html {
  const shown = entries.filter(([, value]) => value !== null && value !== undefined);
  return html`<dl class="facts">${shown.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

/** Replaces an empty list: says what it would contain, and what to do. */
export function emptyState(title: string, content: Html | string, action: Html | null = null): Html {
  return html`<div class="empty"><p><strong>${title}</strong></p><p>${content}</p>${action}</div>`;
}

/** A part of a page with its heading. `danger` marks a part that ends something for good. */
export function section(title: string, content: Html, kind: 'plain' | 'danger' = 'plain'): Html {
  return html`<section class="part part-${kind}"><h2>${title}</h2>${content}</section>`;
}
