import { type Html, html } from '../html.ts';

/** How good it is to be in a state: the colour. The word says it without. */
export type StateKind = 'good' | 'warning' | 'bad' | 'neutral';

export function state(kind: StateKind, word: Html | string): Html {
  return html`<span class="state state-${kind}">${word}</span>`;
}

/** A name that a person has written: its direction does not change that of the text around it. */
export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** An email, which on a narrow screen goes on in another line before its `@`, and not within a word. */
export function email(text: string): Html {
  const at = text.lastIndexOf('@');
  return html`${text.slice(0, at)}<wbr>${text.slice(at)}`;
}
