import { diagnoseToken, parseTokenId, type TokenPage } from '@gatehouse/domain/tokens';
import { errorSummary, type FieldErrors } from './elements/form.ts';
import { name, state } from './elements/inline.ts';
import { backTo, facts } from './elements/part.ts';
import { scopeList } from './elements/scope-list.ts';
import { endOfDay, lastDay, time } from './elements/time.ts';
import { REFUSAL_WORDS, reportedBy, stateOfToken } from './elements/token-words.ts';
import { type Html, html } from './html.ts';
import { API_TOKENS, tokenPath } from './paths.ts';
import type { PagePorts } from './ports.ts';
import type { PageRequest } from './session/page-request.ts';
import type { SignedInPage } from './session/signed-in.ts';
import { addressesPart } from './token-page/addresses.ts';
import { CHANGE_FIELDS, type Changes, changesPart } from './token-page/changes.ts';
import { historyPart } from './token-page/history.ts';
import { rotationPart } from './token-page/rotation.ts';
import { servicesPart } from './token-page/services.ts';
import { denied, errorPage, type Outcome, redirect, view } from './view.ts';

type Ports = Pick<PagePorts, 'listScopeChoices' | 'showTokenPage' | 'updateToken'>;

/** How many events the history of a token shows. */
const EVENTS = 30;

/**
 * `/settings/api/{id}`: shows a token, with a form that renames the token and a form that sets an earlier expiry. A
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
      action: stateOfToken(token.state),
      content: html`${errorSummary(errors, CHANGE_FIELDS)}
<div class="sheet">${diagnosis(token, request)}
${facts([
  ['Owner', user.id === request.user.id ? 'You' : name(user.email)],
  ['Scopes', scopeList(choices.value, scopes)],
  ['Created', time(createdAt, now)],
  ['Expires', expiresAt === null ? 'Never' : html`${lastDay(expiresAt)} (${time(expiresAt, now)})`],
  ['Format', format === 'jwt' ? 'JWT' : 'PASETO'],
  ['Kind', kind === 'sign-in' ? 'Created when a program signed in' : null],
  ['Id', html`<code>${id}</code>`],
])}</div>
${rotationPart(token, now)}
${addressesPart(token.usage, now)}
${servicesPart(token.usage, now)}
${historyPart(token, request)}
${changesPart(request, token, typed, errors)}`,
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
        const field = target === 'end' ? 'end' : 'name';
        const again = (message: string) => show(request, typed, [{ field, message }]);
        const at = endOfDay(typed.end);
        if (field === 'end' && at === undefined) return again('choose a day');
        const changed = await updateToken(
          request.caller,
          field === 'name' || at === undefined ? { id, name: typed.name.trim() } : { id, expiry: { at } },
        );
        if (changed.ok) return redirect(tokenPath(id), 'token_changed');
        const { error } = changed;
        switch (error.code) {
          case 'invalid_input':
            return again(error.problems[0]?.message ?? 'is not valid');
          case 'token_name_taken':
            return again('is already used by another token of the same owner');
          case 'expiry_not_earlier':
            return again('must be earlier than the current last day');
          case 'token_not_updatable':
            return again('cannot be changed: the token is being rotated, or has ended');
          default:
            return denied(error);
        }
      },
    },
  };
}

/** Says whether requests with the token are accepted and, if not, why. */
function diagnosis(token: TokenPage, { now }: PageRequest): Html {
  const found = diagnoseToken(token);
  if (!found.works) {
    const reason = token.revocation?.reason;
    return html`<p>${state('bad', 'Does not work')} Requests with this token are refused, because ${REFUSAL_WORDS[found.because]}${
      token.revocation !== null && html` ${time(token.revocation.at, now)}`
    }.</p>${typeof reason === 'string' && html`<p>Reason: ${name(reason)}</p>`}`;
  }
  const { lastRefusal } = found;
  if (lastRefusal === null)
    return html`<p>${state('good', 'Works')} Requests with this token are accepted.</p>`;
  return html`<p>${state('warning', 'Works, but')} the last request with this token was refused ${time(lastRefusal.at, now)}, because ${REFUSAL_WORDS[lastRefusal.reason]}${reportedBy(lastRefusal)}.</p>`;
}
