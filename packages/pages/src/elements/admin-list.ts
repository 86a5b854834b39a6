import { attributes, type Html, html } from '../html.ts';
import { name } from './inline.ts';
import { mailto } from './mailto.ts';

interface Admins {
  readonly admins: readonly { readonly name: string; readonly email: string }[];
  /** Whether the account has more admins than `admins`. */
  readonly more: boolean;
}

/** Lists the admins of an account with their addresses. */
export function adminList({ admins, more }: Admins): Html {
  const items = admins.map(
    (admin) =>
      html`<li>${name(admin.name)} <a${attributes({ href: mailto(admin.email) })}>${admin.email}</a></li>`,
  );
  return html`<ul class="plain">${items}</ul>${more ? html`<p class="muted">Your account has more admins than this list shows.</p>` : null}`;
}
