import { type Html, html, type Shown } from '../html.ts';
import { buttonLink, icon } from './inline.ts';

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

interface PagerParts {
  /** Names the items, such as `tokens`. */
  readonly label: string;
  /** Undefined on the first or the last page. */
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

/** Links to the pages before and after this one; null if it is the only one. */
export function pager({ label, previous, next }: PagerParts): Html | null {
  if (previous === undefined && next === undefined) return null;
  return html`<nav class="pager" aria-label="Pages of ${label}">${
    previous === undefined ? null : buttonLink(previous, 'Previous page')
  }${next === undefined ? null : buttonLink(next, 'Next page')}</nav>`;
}

/** The link to the parent page, at the top of a page. */
export function backTo(href: string, label: string): Html {
  return html`<p class="back"><a href="${href}">${icon('back')} ${label}</a></p>`;
}
