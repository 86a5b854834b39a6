import type { Provider } from '@gatehouse/domain/identity-providers';
import { buttonLink } from '../elements/inline.ts';
import { type Html, html } from '../html.ts';
import { signInWithPath } from '../paths.ts';

interface ProviderButtons {
  /** The page that opens after the sign-in. */
  readonly next?: string | undefined;
  /** Whether this is how most people sign in, rather than another way below the form of the password. */
  readonly isMain: boolean;
}

/** A link for each identity provider; null if there are none. */
export function providerButtons(
  providers: readonly Provider[],
  { next, isMain }: ProviderButtons,
): Html | null {
  if (providers.length === 0) return null;
  return html`<section class="providers" aria-label="Identity providers">${providers.map(({ id, label }) =>
    buttonLink(signInWithPath(id, next), `Sign in with ${label}`, isMain ? 'primary' : 'plain'),
  )}</section>`;
}
