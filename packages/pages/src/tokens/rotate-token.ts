import { err, ok, type Result } from '@gatehouse/domain';
import type { ScopeChoices } from '@gatehouse/domain/services';
import { parseDuration } from '@gatehouse/domain/time';
import { effectiveRules, shortenedExpiry, type TokenRules } from '@gatehouse/domain/token-policy';
import { DEFAULT_GRACE_MS, parseTokenId, sameLifeFrom, type TokenInUse } from '@gatehouse/domain/tokens';
import { type FieldErrors, formView, type Options } from '../elements/form.ts';
import { button, buttonLink, name } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { facts } from '../elements/part.ts';
import { scopeList } from '../elements/scope-list.ts';
import { lastDay } from '../elements/time.ts';
import { useInWords } from '../elements/token-words.ts';
import { guardedForm, isGuardError } from '../forms/forbidden.ts';
import { OPEN_FOR_TOO_LONG, tokenIdForForm, wasOpenForTooLong } from '../forms/made-once.ts';
import { type Html, html } from '../html.ts';
import { revokePath, rotatePath, tokenPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, type ErrorPage, errorPage, redirect, type View, view, withAlert } from '../view.ts';
import { createdView } from './new-token/created.ts';
import { changeFrame, findToken, obstacleInWords } from './token-change.ts';

type Ports = Pick<
  PagePorts,
  'confirmPassword' | 'ids' | 'listScopeChoices' | 'rotateToken' | 'showTokenPolicy' | 'showTokenUse'
>;

/**
 * The choices of how long the old token works after the first use of the new token. The keys are durations; with `0`,
 * the old token ends at that first use.
 */
const GRACES: Options = {
  0: 'Not at all',
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
};

const graceMs = (grace: string) => parseDuration(grace) ?? 0;

const DEFAULT_GRACE = Object.keys(GRACES).find((grace) => graceMs(grace) === DEFAULT_GRACE_MS) ?? '0';

const FIELDS = {
  grace: {
    label: 'Keep the old token working for',
    type: 'select',
    hint: 'Counted from the first use of the new token. If the old token expires earlier, it stops working then.',
    options: GRACES,
  },
  ...PASSWORD_FIELD,
} as const;

interface Rotated {
  readonly token: TokenInUse;
  readonly choices: ScopeChoices;
  readonly rules: TokenRules;
}

/** The content of a form that is shown again, because the server did not accept it. */
interface Again {
  readonly grace?: string;
  readonly errors?: FieldErrors;
  /** Why the token was not rotated although all fields are valid. */
  readonly conflict?: string;
}

/**
 * `/settings/api/{id}/rotate`: creates a successor of the token, and shows the successor once. The id of the form
 * determines the id of the successor, so a form that is sent twice creates one token. The second answer redirects to
 * the page of that token.
 */
export function rotateTokenPage(ports: Ports): SignedInPage<typeof FIELDS> {
  async function find(request: PageRequest): Promise<Result<Rotated, ErrorPage>> {
    const found = await findToken(ports, request);
    if (!found.ok) return found;
    const choices = await ports.listScopeChoices(request.caller);
    if (!choices.ok) return err(denied(choices.error));
    const policy = await ports.showTokenPolicy(request.caller, request.caller.accountId);
    if (!policy.ok) return err(denied(policy.error));
    const rules = effectiveRules(policy.value, found.value.user.kind);
    return ok({ token: found.value, choices: choices.value, rules });
  }

  function rotateView(request: PageRequest, { token, choices, rules }: Rotated, again: Again = {}): View {
    const { grace, errors = [], conflict } = again;
    const obstacle = obstacleInWords(token, request);
    if (obstacle !== null)
      return view({ ...changeFrame('Rotate', token), content: html`<div class="sheet">${obstacle}</div>` });
    const shown = formView(request, {
      ...changeFrame('Rotate', token),
      scripts: ['send-once.js'],
      lead: plan(request, { token, choices, rules }),
      action: rotatePath(token.id),
      target: ports.ids.next(),
      fields: FIELDS,
      values: { grace: grace || DEFAULT_GRACE },
      errors,
      content: (field) => html`${field('grace')}
${passwordAgain(request, field)}
<p class="actions">${button('Rotate token', 'primary')}${buttonLink(tokenPath(token.id), 'Cancel')}</p>`,
    });
    return conflict === undefined ? shown : withAlert(shown, conflict, 409);
  }

  return {
    async show(request, typed) {
      const found = await find(request);
      return found.ok ? rotateView(request, found.value, typed) : found.error;
    },
    form: {
      fields: FIELDS,
      async submit(request, { grace, ...secrets }, target) {
        const formId = parseTokenId(target);
        if (formId === undefined) return errorPage('malformed_body');
        const successorId = tokenIdForForm(formId, request.user.id);
        const found = await find(request);
        if (!found.ok) return found.error;
        const { token, choices } = found.value;
        if (token.successor === successorId) return redirect(tokenPath(successorId), 'token_made_before');
        if (wasOpenForTooLong(formId, request.now))
          return rotateView(request, found.value, { grace, conflict: OPEN_FOR_TOO_LONG });
        if (token.obstacle !== null || !Object.hasOwn(GRACES, grace)) {
          const errors = [{ field: 'grace', message: 'Choose how long the old token keeps working.' }];
          return rotateView(request, found.value, { errors });
        }
        const confirmed = await confirmGivenPassword(ports, request, secrets, (errors) =>
          rotateView(request, found.value, { grace, errors }),
        );
        if (!confirmed.ok) return confirmed.error;

        const rotation = { id: token.id, graceMs: graceMs(grace), successorId };
        const rotated = await ports.rotateToken(confirmed.value.caller, rotation);
        if (rotated.ok) {
          const end = grace === '0' ? 'until' : `for ${GRACES[grace]} after`;
          const lead = html`<p class="lead">Use the new token instead of the <a href="${tokenPath(token.id)}">old token</a>, which keeps working ${end} the new one is first used.</p>`;
          const shortened = rotated.value.isShortened ? SHORTENED : null;
          return createdView(
            request,
            choices,
            rotated.value,
            `New token for ${token.name}`,
            html`${lead}${shortened}`,
          );
        }
        const { error } = rotated;
        if (isGuardError(error)) return guardedForm(rotateView(request, found.value, { grace }), error);
        switch (error.code) {
          case 'token_id_taken':
            return redirect(tokenPath(successorId), 'token_made_before');
          case 'token_not_found':
          case 'not_allowed':
          case 'insufficient_scope':
          case 'network_not_allowed':
          case 'token_not_accepted':
          case 'not_found':
            return denied(error);
          default: {
            // The token was changed after this request had read it, maybe because the same form was sent twice.
            const now = await find(request);
            if (!now.ok) return now.error;
            if (now.value.token.successor === successorId)
              return redirect(tokenPath(successorId), 'token_made_before');
            return rotateView(confirmed.value, now.value, { grace, conflict: CONFLICTS[error.code] });
          }
        }
      },
    },
  };
}

const UNCHANGED = 'The token was not rotated.';

const CONFLICTS = {
  invalid_input: `The server did not accept the form. ${UNCHANGED} Check the form and try again.`,
  token_not_rotatable: `The token was changed while this form was open. ${UNCHANGED} Check the form and try again.`,
  token_changed: `The token was changed while this form was open. ${UNCHANGED} Check the form and try again.`,
  lifetime_not_allowed: `The rules of the account were changed during the rotation. ${UNCHANGED} Try again.`,
  creator_not_fit: `The token has another owner now, or its owner was disabled. ${UNCHANGED}`,
  key_not_usable: `The signing key was replaced during the rotation. ${UNCHANGED} Try again.`,
  no_active_key: `This server has no active signing key. ${UNCHANGED} Contact the operators of this server.`,
  master_key_rejected: `This server cannot read its signing keys. ${UNCHANGED} Contact the operators of this server.`,
} as const;

const SHORTENED = html`<p>The rules of your account do not allow the lifetime of the old token. The new token expires earlier.</p>`;

/** Says what the rotation will do, and whether programs need the new token. */
function plan({ now }: PageRequest, { token, choices, rules }: Rotated): Html {
  const use = useInWords(token.usage, now);
  const sameEnd = sameLifeFrom(now, token);
  const end = shortenedExpiry(rules, now, sameEnd);
  return html`
<p class="lead">This creates a new token with the same name, scopes and owner, and shows it once. ${
    end === null ? 'The new token never expires.' : html`The new token expires on ${lastDay(end)}.`
  }${end === sameEnd ? null : ' The rules of your account do not allow a longer lifetime.'} The old token keeps working until the new token is first used, and then for the time that you choose here.</p>
${
  use === null
    ? html`<p>${name(token.name)} has never been used.</p>`
    : warning(
        html`<p><strong>${name(token.name)} was used ${use}.</strong> Programs that use this token need the new one.</p>`,
      )
}
<div class="sheet">${facts([['Scopes', scopeList(choices, token.scopes)]])}</div>
<p>If the token has leaked, <a href="${revokePath(token.id)}">revoke it</a> instead, because after a rotation the old token still works for a while.</p>`;
}
