import { type Html, html } from '../html.ts';

const ICONS = {
  alert: html`<path d="M8 1.8 15 14H1Z"/><path d="M8 6.3v3.4M8 11.8v.2"/>`,
  back: html`<path d="M10 3 5 8l5 5"/>`,
  check: html`<circle cx="8" cy="8" r="6.5"/><path d="m5.2 8.2 2 2 3.6-4.2"/>`,
} as const;

/** A picture beside a text with the same meaning; screen readers skip it. */
export function icon(name: keyof typeof ICONS): Html {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${ICONS[name]}</svg>`;
}
