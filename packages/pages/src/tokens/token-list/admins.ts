import { adminList } from '../../elements/admin-list.ts';
import { emptyState } from '../../elements/part.ts';
import { html } from '../../html.ts';
import type { PageUseCases } from '../../page-use-cases.ts';
import { denied, type Outcome, view } from '../../view.ts';

type Found = Awaited<ReturnType<PageUseCases['listAdmins']>>;

/** Lists the admins of the account for members, who cannot make tokens themselves. */
export function adminsView(found: Found): Outcome {
  if (!found.ok) return denied(found.error);
  const { admins, more } = found.value;
  const list = html`
<section class="part"><h2>Your admins</h2>${adminList({ admins, more })}</section>`;
  const none = emptyState(
    'Your account has no admin',
    'The operators of this server can make a user an admin.',
  );
  return view({
    title: 'API tokens',
    content: html`<p class="lead">Admins create and revoke the API tokens of your account. If you need a token for a program, ask an admin.</p>${admins.length === 0 ? none : list}`,
  });
}
