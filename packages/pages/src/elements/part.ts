import { type Html, html, type Shown } from '../html.ts';
import { buttonLink, icon } from './inline.ts';

/** A list of facts, each with its label. Facts that are null are left out. */
export function facts(entries: readonly (readonly [label: string, value: Shown])[]): Html {
  const shown = entries.filter(([, value]) => value !== null && value !== undefined);
  return html`<dl class="facts">${shown.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

/** Shown instead of an empty list. @param action a link to what the user can do next */
export function emptyState(title: string, content: Html | string, action: Html | null = null): Html {
  return html`<div class="empty"><p><strong>${title}</strong></p><p>${content}</p>${action}</div>`;
}

/** A part of a page with a heading. A part of the kind `danger` has actions that cannot be undone. */
export function section(title: string, content: Html, kind: 'plain' | 'danger' = 'plain'): Html {
  return html`<section class="part part-${kind}"><h2>${title}</h2>${content}</section>`;
}

interface PagerParts {
  /** The plural noun for the items of the list, such as `tokens`. Screen readers read it. */
  readonly label: string;
  /** The address of the first page, for a list whose pages do not lead back one by one; undefined on the first page. */
  readonly first?: string | undefined;
  /** The address of the previous page of the list; undefined on the first page. */
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

/** Links to the other pages of a list; null if the list has only one page. */
export function pager({ label, first, previous, next }: PagerParts): Html | null {
  if (first === undefined && previous === undefined && next === undefined) return null;
  return html`<nav class="pager" aria-label="Pages of ${label}">${first === undefined ? null : buttonLink(first, 'First page')}${
    previous === undefined ? null : buttonLink(previous, 'Previous page')
  }${next === undefined ? null : buttonLink(next, 'Next page')}</nav>`;
}

/** Renders the link above the title of a page, to the page one level up. */
export function backTo(href: string, label: string): Html {
  return html`<p class="back"><a href="${href}">${icon('back')} ${label}</a></p>`;
}
