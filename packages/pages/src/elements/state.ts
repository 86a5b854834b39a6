import { type Html, html } from '../html.ts';

/** The colour of a state. The word says the same without it. */
export type StateKind = 'good' | 'warning' | 'bad' | 'neutral';

export function state(kind: StateKind, word: Html | string): Html {
  return html`<span class="state state-${kind}">${word}</span>`;
}

/** A name that a user has written. Its direction does not change the direction of the text around it. */
export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** An email. A narrow screen breaks it before its `@`, not within a word. */
export function email(text: string): Html {
  const at = text.lastIndexOf('@');
  return html`${text.slice(0, at)}<wbr>${text.slice(at)}`;
}
