import { ok } from '@gatehouse/domain';
import type { FieldError, ShowField } from '../../elements/form.ts';
import { countInWords } from '../../elements/inline.ts';
import { type Html, html } from '../../html.ts';
import type { PageUseCases } from '../../page-use-cases.ts';
import { API_TOKENS, withQuery } from '../../paths.ts';
import type { PageRequest } from '../../session/page-request.ts';
import type { ShownUser } from '../user-change.ts';

const REVOKE = 'revoke';
/** The answer that gives the tokens to another admin. */
export const GIVE = 'give';

/** The fields of the question. */
export const TOKEN_FIELDS = {
  tokens: { label: 'API tokens of this user', type: 'radio', isRequired: true },
  transfer_to: { label: 'New owner', type: 'select' },
  rename: {
    label: 'Names that the new owner already uses',
    type: 'checkbox',
    choices: [{ value: 'yes', label: 'Add a number to these names, such as ERP (2)' }],
  },
} as const;

/** The active admins of the account who can receive the tokens, and whether there are more. */
export interface Receivers {
  readonly admins: readonly { readonly name: string; readonly email: string }[];
  readonly more: boolean;
}

interface Asked {
  readonly shown: ShownUser;
  readonly receivers: Receivers;
}

/** Whether the tokens can be given away: those of a member would get the rights of an admin. */
const canGive = ({ shown, receivers }: Asked) => shown.user.role === 'admin' && receivers.admins.length > 0;

/** Finds who can receive the tokens of the user. */
export async function receiversOf(
  { listAdmins }: Pick<PageUseCases, 'listAdmins'>,
  { caller }: PageRequest,
  { user, tokens }: ShownUser,
) {
  if (tokens.count === 0) return ok<Receivers>({ admins: [], more: false });
  const listed = await listAdmins(caller);
  if (!listed.ok) return listed;
  const { admins, more } = listed.value;
  return ok<Receivers>({ admins: admins.filter(({ id }) => id !== user.id), more });
}

/** Returns the errors of the answer; empty if there is an answer, or nothing to ask. */
export function checkTokens(
  asked: Asked,
  { tokens, transfer_to: to }: { readonly tokens: string; readonly transfer_to: string },
): readonly FieldError[] {
  if (asked.shown.tokens.count === 0 && tokens === '') return [];
  if (tokens !== REVOKE && !(tokens === GIVE && canGive(asked)))
    return [{ field: 'tokens', message: 'Choose what happens to the tokens.' }];
  return tokens === GIVE && to === '' ? [{ field: 'transfer_to', message: 'is required' }] : [];
}

/** Asks what happens to the API tokens of the user. Says so if there is nothing to ask. */
export function tokenQuestion(asked: Asked, field: ShowField<keyof typeof TOKEN_FIELDS>): Html {
  const { shown, receivers } = asked;
  if (shown.tokens.count === 0) return html`<p>The user has no active API tokens.</p>`;
  const list = withQuery(API_TOKENS, { owner: shown.user.email });
  const count = html`<a href="${list}">${countInWords(shown.tokens)} active</a>`;
  const revoke = {
    value: REVOKE,
    label: 'Revoke',
    hint: 'Programs that use these tokens stop working at once.',
  };
  if (!canGive(asked)) {
    const why =
      'The tokens of a member cannot be given to an admin, because they would get the rights of an admin.';
    return field('tokens', {
      hint: html`${count}. ${shown.user.role === 'member' ? why : ''}`,
      choices: [revoke],
    });
  }
  const give = {
    value: GIVE,
    label: 'Give to another admin',
    hint: 'The tokens keep working with the rights of an admin, as before, and the new owner manages them.',
  };
  const options = Object.fromEntries(
    receivers.admins.map(({ name, email }) => [email, `${name} (${email})`]),
  );
  const owner = receivers.more
    ? field('transfer_to', { type: 'email', hint: 'The email of another active admin of your account.' })
    : field('transfer_to', { options: { '': 'Choose an admin', ...options } });
  return html`${field('tokens', { hint: html`${count}.`, choices: [revoke, give] })}
<div class="if-give">${owner}
${field('rename')}</div>`;
}
