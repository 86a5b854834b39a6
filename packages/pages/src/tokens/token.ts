import { endOfDay } from '@gatehouse/domain/time';
import { diagnoseToken, isLive, parseTokenId, type TokenPage } from '@gatehouse/domain/tokens';
import type { User } from '@gatehouse/domain/users';
import { errorSummary, type FieldErrors } from '../elements/form.ts';
import { name, state } from '../elements/inline.ts';
import { backTo, facts } from '../elements/part.ts';
import { scopeList } from '../elements/scope-list.ts';
import { lastDay, time } from '../elements/time.ts';
import { REFUSAL_WORDS, reportedBy } from '../elements/token-words.ts';
import { type Html, html, type Shown } from '../html.ts';
import { API_TOKENS, pathOfUser, SIGN_IN_METHODS, TOKEN_RULES, tokenPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, type Outcome, redirect, view } from '../view.ts';
import { lifetimeProblemInWords } from './rules-in-words.ts';
import { actionsOf, useOf } from './token-page/actions.ts';
import { addressesPart } from './token-page/addresses.ts';
import { CHANGE_FIELDS, type ChangeField, type Changes, changesPart } from './token-page/changes.ts';
import { historyPart } from './token-page/history.ts';
import { networksPart } from './token-page/networks.ts';
import { rotationPart } from './token-page/rotation.ts';
import { servicesPart } from './token-page/services.ts';

type Ports = Pick<PagePorts, 'listScopeChoices' | 'showTokenPage' | 'updateToken'>;

/** How many events the history of a token shows. */
const EVENTS = 30;

/**
 * `/settings/api/{id}`: shows a token, with forms that rename and describe the token and set an earlier expiry. A
 * token that was created by a sign-in can only be revoked.
 */
export function tokenPage({
  listScopeChoices,
  showTokenPage,
  updateToken,
}: Ports): SignedInPage<typeof CHANGE_FIELDS> {
  async function show(request: PageRequest, typed: Changes = {}, errors: FieldErrors = []): Promise<Outcome> {
    const id = parseTokenId(request.params.id ?? '');
    if (id === undefined) return errorPage('not_found');
    const found = await showTokenPage(request.caller, { id, events: EVENTS });
    if (!found.ok) return denied(found.error);
    const choices = await listScopeChoices(request.caller);
    if (!choices.ok) return denied(choices.error);
    const { now } = request;
    const token = found.value;
    const { createdAt, expiresAt, format, kind, scopes, user } = token;
    return view({
      title: token.name,
      above: backTo(API_TOKENS, 'API tokens'),
      action: actionsOf(token, request),
      content: html`${errorSummary(errors, CHANGE_FIELDS)}
<div class="sheet">${diagnosis(token, request)}${overPolicy(token, request)}${useOf(token, request)}
${facts([
  ['Description', token.description === null ? null : name(token.description)],
  ['Owner', ownerInWords(user, request)],
  ['Scopes', scopeList(choices.value, scopes)],
  ['Created', time(createdAt, now)],
  // A token that was revoked ended then, whatever expiry it had.
  [
    'Expires',
    token.revocation
      ? null
      : expiresAt === null
        ? 'Never'
        : html`${lastDay(expiresAt)} (${time(expiresAt, now)})`,
  ],
  ['Format', format === 'jwt' ? 'JWT' : 'PASETO'],
  ['Kind', kind === 'sign-in' ? 'Created when a program signed in' : null],
  ['ID', html`<code>${id}</code>`],
])}</div>
${rotationPart(token, now)}
${networksPart(token, request)}
${changesPart(request, token, typed, errors)}
${addressesPart(token.usage, now)}
${servicesPart(token.usage, now)}
${historyPart(token, request)}`,
      ...(errors.length > 0 && { status: 422 }),
    });
  }

  return {
    show,
    form: {
      fields: CHANGE_FIELDS,
      async submit(request, typed, target) {
        const id = parseTokenId(request.params.id ?? '');
        if (id === undefined) return errorPage('not_found');
        const field = isChangeField(target) ? target : 'name';
        const again = (message: string) => show(request, { ...typed, of: field }, [{ field, message }]);
        const at = endOfDay(typed.end);
        if (field === 'end' && at === undefined) return again('Choose a day.');
        const changes = {
          name: { name: typed.name.trim() },
          description: { description: typed.description },
          end: { expiry: at === undefined ? undefined : { at } },
        };
        const changed = await updateToken(request.caller, { id, ...changes[field] });
        if (changed.ok) return redirect(tokenPath(id), 'token_changed');
        const { error } = changed;
        switch (error.code) {
          case 'invalid_input':
            return again(error.problems[0]?.message ?? 'is not valid');
          case 'token_name_taken':
            return again('is already used by another token of the same owner');
          case 'expiry_not_earlier':
            return again('must be earlier than the current last day');
          case 'lifetime_not_allowed':
            return again(lifetimeProblemInWords(error));
          case 'token_not_updatable':
            return again('This token cannot be changed: it is being rotated, or has ended.');
          default:
            return denied(error);
        }
      },
    },
  };
}

function ownerInWords(user: User, request: PageRequest): Shown {
  if (user.kind === 'service')
    return html`<a href="${pathOfUser(user)}">${name(user.name)}</a> (service account)`;
  return user.id === request.user.id ? 'You' : name(user.email);
}

const isChangeField = (text: string): text is ChangeField => Object.hasOwn(CHANGE_FIELDS, text);

/** Says that a live API token breaks the rules of the account; null if it does not. */
function overPolicy(token: TokenPage, { now }: PageRequest): Html | null {
  if (!token.isOverPolicy || token.kind !== 'api' || !isLive(token, now)) return null;
  return html`<p>${state('warning', 'Breaks rules')} The token breaks the <a href="${TOKEN_RULES}">token rules</a> that the account has now.</p>`;
}

/** Says what makes the token of an owner work again whom no identity provider confirmed in time. */
const toConfirm = ({ user }: TokenPage, request: PageRequest): Html =>
  user.id === request.user.id
    ? html`<p>It works again after you sign in with your identity provider: see <a href="${SIGN_IN_METHODS}">Sign-in</a>.</p>`
    : html`<p>It works again after <a href="${pathOfUser(user)}">the owner</a> signs in with an identity provider again.</p>`;

/** Says whether requests with the token are accepted and, if not, why. */
function diagnosis(token: TokenPage, request: PageRequest): Html {
  const { now } = request;
  const found = diagnoseToken(token);
  if (!found.works) {
    const reason = token.revocation?.reason;
    return html`<p>${state('bad', 'Does not work')} Requests with this token are refused, because ${REFUSAL_WORDS[found.because]}${
      token.revocation !== null && html` ${time(token.revocation.at, now)}`
    }.</p>${found.because === 'not_confirmed' && toConfirm(token, request)}${typeof reason === 'string' && html`<p>Reason: ${name(reason)}</p>`}`;
  }
  const { lastRefusal } = found;
  if (lastRefusal === null)
    return html`<p>${state('good', 'Works')} Requests with this token are accepted.</p>`;
  return html`<p>${state('warning', 'Works, but')} the last request with this token was refused ${time(lastRefusal.at, now)}, because ${REFUSAL_WORDS[lastRefusal.reason]}${reportedBy(lastRefusal)}.</p>`;
}
