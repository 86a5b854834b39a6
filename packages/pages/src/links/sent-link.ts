import { type FormTokens, form } from '../elements/form.ts';
import { button } from '../elements/inline.ts';
import { section } from '../elements/part.ts';
import { type Html, html } from '../html.ts';

/** The hidden field of forms that make a link. `SHOWN` shows the link although it could be mailed. */
export const DELIVERY_FIELD = { delivery: { label: '' } } as const;

export const SHOWN = 'show';

interface SentLink {
  readonly email: string;
  /** How long the link works, such as `7 days`. */
  readonly works: string;
  /** The path of the form that makes the link, and what else it sends. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
}

/** Says that a link was mailed, and offers to show another one instead, which ends the mailed one. */
export function sentLink(tokens: FormTokens, { email, works, action, hidden = {} }: SentLink): Html {
  return html`<p class="lead">A link is on its way to ${email}. It works once, for ${works}.</p>
<p>Only this person gets the link, so using it also confirms the email address.</p>
${section(
  'No message arrived?',
  html`<p>You can copy a new link and send it yourself. The link in the message then stops working, and using the new one does not confirm the email address.</p>
${form(tokens, { action, hidden: { ...hidden, delivery: SHOWN }, content: button('Show the link instead') })}`,
)}`;
}
