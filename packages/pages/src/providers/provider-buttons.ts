import type { Provider } from '@gatehouse/domain/identity-providers';
import { buttonLink } from '../elements/inline.ts';
import { type Html, html } from '../html.ts';
import { signInWithPath } from '../paths.ts';

/** A link for each identity provider; null if there are none. @param next the page that opens after the sign-in */
export function providerButtons(providers: readonly Provider[], next?: string): Html | null {
  if (providers.length === 0) return null;
  return html`<section class="providers" aria-label="Identity providers">${providers.map(({ id, label }) =>
    buttonLink(signInWithPath(id, next), `Sign in with ${label}`),
  )}</section>`;
}
