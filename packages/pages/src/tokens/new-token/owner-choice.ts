import { ok } from '@gatehouse/domain';
import { parseUserId, type User } from '@gatehouse/domain/users';
import { showFields } from '../../elements/form.ts';
import { button, name } from '../../elements/inline.ts';
import { type Html, html } from '../../html.ts';
import type { Found, PageUseCases } from '../../page-use-cases.ts';
import { NEW_TOKEN } from '../../paths.ts';
import type { PageRequest } from '../../session/page-request.ts';

/** The field that says for which service account the token is, by its id or address; empty for the user's own token. */
export const OWNER_FIELD = { owner: { label: 'Owner' } } as const;

export interface OwnerChoice {
  /** The service account that is to own the token; undefined if the user is. */
  readonly owner: User | undefined;
  /** The active service accounts from which the user chooses. */
  readonly serviceAccounts: Found<'listOwnServiceAccounts'>['serviceAccounts'];
}

/**
 * Finds the owner that the form or its address names. An unknown or disabled one counts as the user. One that the list
 * lacks is read apart.
 */
export async function ownerOf(
  ports: Pick<PageUseCases, 'listOwnServiceAccounts' | 'showServiceAccount'>,
  { caller }: PageRequest,
  text: string,
) {
  const listed = await ports.listOwnServiceAccounts(caller, { isDisabled: false });
  if (!listed.ok) return listed;
  const { serviceAccounts, next } = listed.value;
  const id = parseUserId(text.replace(/@.*/u, ''));
  const known = serviceAccounts.find(({ user }) => user.id === id)?.user;
  if (id === undefined || known || next === undefined)
    return ok<OwnerChoice>({ owner: known, serviceAccounts });
  const found = await ports.showServiceAccount(caller, id);
  const owner = found.ok && found.value.user.disabledAt === null ? found.value.user : undefined;
  return ok<OwnerChoice>({ owner, serviceAccounts });
}

/**
 * Renders a form that opens the page for another owner, because the rules of the account can differ for persons and
 * service accounts. Null if there are no service accounts.
 */
export function ownerForm({ owner, serviceAccounts }: OwnerChoice): Html | null {
  if (serviceAccounts.length === 0 && !owner) return null;
  const listed = serviceAccounts.map(({ user }) => user);
  const all = owner && !listed.some(({ id }) => id === owner.id) ? [...listed, owner] : listed;
  const options = Object.fromEntries([
    ['', 'You'],
    ...all.map(({ id, name: text, email }) => [email, `${text} (service account ${id})`]),
  ]);
  const field = showFields(
    { owner: { label: 'Owner', type: 'select', options } },
    { owner: owner?.email ?? '' },
  );
  return html`<form method="get" class="form-inline" action="${NEW_TOKEN}">${field('owner')}
${button('Change owner')}</form>`;
}

/** Says as whom programs act that use the token. */
export const ownerLead = ({ owner }: OwnerChoice, request: PageRequest): Html =>
  owner
    ? html`Programs that use the token act as the service account ${name(owner.name)}, limited to the scopes that you choose.`
    : html`Programs that use the token act as you, ${request.user.email}, limited to the scopes that you choose.`;
