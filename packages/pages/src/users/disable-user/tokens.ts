import { parseTokenId, type TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import type { FieldError, FieldValues, ShowField } from '../../elements/form.ts';
import { countInWords } from '../../elements/inline.ts';
import { type Html, html } from '../../html.ts';
import type { Found } from '../../page-use-cases.ts';
import { API_TOKENS, withQuery } from '../../paths.ts';
import { areFew, choosers, pairsOf } from './choosers.ts';

export type DisableFacts = Found<'findDisableFacts'>;

type Owner = DisableFacts['owners'][number];

const REVOKE = 'revoke';
/** The answer that gives all tokens to one owner. */
const GIVE = 'give';
/** The answer that has an answer for each token. */
const EACH = 'each';

/** The fields of the question. */
export const TOKEN_FIELDS = {
  tokens: { label: 'API tokens', type: 'radio', isRequired: true },
  transfer_to: { label: 'New owner', type: 'select' },
  // One select for each token, whose values begin with the id of the token.
  owners: { label: 'Owner of each token', type: 'checkbox' },
  rename: {
    label: 'Names that the new owner already uses',
    type: 'checkbox',
    choices: [{ value: 'yes', label: 'Add a number to these names, such as ERP (2)' }],
  },
} as const;

type Values = Omit<FieldValues<typeof TOKEN_FIELDS>, 'rename'>;

/** The owners whose rights are not greater: those of a member must not get the rights of an admin. */
const receiversOf = ({ user, owners }: DisableFacts): readonly Owner[] =>
  owners.filter(({ role }) => user.role === 'admin' || role === 'member');

const labelOf = ({ kind, name, email }: Owner) =>
  kind === 'service' ? `${name} (service account)` : `${name} (${email})`;

/** The decision about the tokens. */
interface TokenAnswer {
  readonly transferTo: string | null;
  readonly tokens: ReadonlyMap<TokenId, UserId>;
}

/** Reads the answer. Returns the errors if there is none although there are tokens. */
export function readTokens(
  facts: DisableFacts,
  { tokens, transfer_to: to, owners }: Values,
): TokenAnswer | readonly FieldError[] {
  const none: TokenAnswer = { transferTo: null, tokens: new Map() };
  if (tokens === REVOKE || (facts.tokens.count === 0 && tokens === '')) return none;
  const receivers = receiversOf(facts);
  if (tokens === GIVE && (receivers.length > 0 || facts.moreOwners))
    return to === '' ? [{ field: 'transfer_to', message: 'is required' }] : { ...none, transferTo: to };
  if (tokens !== EACH || !facts.apiTokens || !areFew(facts.apiTokens, receivers))
    return [{ field: 'tokens', message: 'Choose what happens to the tokens.' }];
  const chosen = pairsOf(owners);
  if (facts.apiTokens.some(({ id }) => !chosen.has(id)))
    return [{ field: 'owners', message: 'Choose an owner for each token, or revoke it.' }];
  const given = [...chosen].flatMap(([text, answer]) => {
    const [id, owner] = [parseTokenId(text), receivers.find((each) => String(each.id) === answer)];
    return id !== undefined && owner ? [[id, owner.id] as const] : [];
  });
  return { ...none, tokens: new Map(given) };
}

/** Asks what happens to the API tokens of the user. Says so if there is nothing to ask. */
export function tokenQuestion(
  facts: DisableFacts,
  chosen: readonly string[],
  field: ShowField<keyof typeof TOKEN_FIELDS>,
  error: string | undefined,
): Html {
  const { user, tokens, apiTokens } = facts;
  if (tokens.count === 0) return html`<p>There are no active API tokens.</p>`;
  const list = withQuery(API_TOKENS, { owner: user.email });
  const count = html`<a href="${list}">${countInWords(tokens)} active</a>`;
  const revoke = {
    value: REVOKE,
    label: 'Revoke',
    hint: 'Programs that use these tokens stop working at once.',
  };
  const receivers = receiversOf(facts);
  if (receivers.length === 0 && !facts.moreOwners) {
    const why =
      'The tokens of a member can only be given to a service account that is a member, because others would give them the rights of an admin.';
    return field('tokens', {
      hint: html`${count}. ${user.role === 'member' ? why : ''}`,
      choices: [revoke],
    });
  }
  const give = {
    value: GIVE,
    label: 'Give all to one owner',
    hint: 'The tokens keep their secrets. They get the rights of the new owner.',
  };
  const each = { value: EACH, label: 'Decide for each token' };
  const options = Object.fromEntries(receivers.map((owner) => [owner.email, labelOf(owner)]));
  const owner = facts.moreOwners
    ? field('transfer_to', {
        type: 'text',
        hint: 'The email of an active admin, or the ID of a service account and @service.invalid.',
      })
    : field('transfer_to', { options: { '': 'Choose an owner', ...options } });
  const single = apiTokens && apiTokens.length > 1 && areFew(apiTokens, receivers) ? apiTokens : null;
  const hint = html`${count}.${single || tokens.count < 2 ? null : ' To give them to different owners, first give single tokens on their own pages.'}`;
  const answers = {
    [REVOKE]: 'Revoke',
    ...Object.fromEntries(receivers.map((one) => [one.id, labelOf(one)])),
  };
  return html`${field('tokens', { hint, choices: [revoke, give, ...(single ? [each] : [])] })}
<div class="if-give">${owner}</div>
${single && html`<div class="if-each">${choosers({ field: 'owners', legend: 'Each token', items: single, answers, chosen, error })}</div>`}
<div class="if-moved">${field('rename')}</div>`;
}
