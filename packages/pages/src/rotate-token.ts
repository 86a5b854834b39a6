import { parseTokenId, sameLifeFrom, type TokenId, type TokenInUse } from '@gatehouse/domain/tokens';
import { button, buttonLink } from './elements/button.ts';
import { errorSummary, type FieldError, select } from './elements/field.ts';
import { form } from './elements/form.ts';
import { alert, warning } from './elements/notice.ts';
import { name } from './elements/state.ts';
import { lastDay } from './elements/time.ts';
import { useInWords } from './elements/use.ts';
import { OPEN_FOR_TOO_LONG, tokenIdForForm, wasOpenForTooLong } from './forms/made-once.ts';
import { type Html, html } from './html.ts';
import { createdView } from './new-token/created.ts';
import { revokePath, rotatePath, tokenPath } from './paths.ts';
import type { PagePorts } from './ports.ts';
import { DEFAULT_GRACE, GRACES, graceInWords } from './rotate-token/graces.ts';
import {
  confirmGivenPassword,
  PASSWORD_FIELD,
  PASSWORD_LABEL,
  passwordAgain,
} from './session/given-password.ts';
import type { PageRequest } from './session/page-request.ts';
import type { SignedInPage } from './session/signed-in.ts';
import { changeFrame, findToken, obstacleInWords } from './token-change.ts';
import { denied, errorPage, redirect, type View, view } from './view.ts';

type Ports = Pick<PagePorts, 'confirmPassword' | 'ids' | 'rotateToken' | 'showTokenUse'>;

const FIELDS = { grace: 'text', ...PASSWORD_FIELD } as const;

const LABELS = { grace: 'How long the old token still works', ...PASSWORD_LABEL };

/** Messages beside the form that was sent. */
interface Again {
  readonly grace?: string;
  readonly errors?: readonly FieldError[];
  /** Why nothing was done although no field is wrong. */
  readonly problem?: string;
}

/**
 * `/settings/api/{id}/rotate`: makes the token's successor, and shows it once. The target of the form's token determines
 * the successor's id. If the form is sent again, it makes nothing and leads to the successor's page.
 */
export function rotateTokenPage(ports: Ports): SignedInPage<typeof FIELDS> {
  function rotateView(request: PageRequest, token: TokenInUse, again: Again = {}): View {
    const obstacle = obstacleInWords(token, request);
    if (obstacle === null) return formView(request, token, ports.ids.next(), again);
    return view({ ...changeFrame('Rotate', token), content: html`<div class="sheet">${obstacle}</div>` });
  }

  return {
    async show(request, typed) {
      const found = await findToken(ports, request);
      return found.ok ? rotateView(request, found.value, typed) : found.error;
    },
    form: {
      fields: FIELDS,
      async submit(request, { grace, password }, target) {
        const formId = parseTokenId(target);
        if (formId === undefined) return errorPage('malformed_body');
        const successorId = tokenIdForForm(formId, request.user.id);
        const found = await findToken(ports, request);
        if (!found.ok) return found.error;
        const token = found.value;
        if (token.successor === successorId) return redirect(tokenPath(successorId), 'token_made_before');
        if (wasOpenForTooLong(formId, request.now))
          return rotateView(request, token, { grace, problem: OPEN_FOR_TOO_LONG });
        const chosen = GRACES.find(({ value }) => value === grace);
        if (token.obstacle !== null || chosen === undefined) {
          const errors = [{ field: 'grace', message: 'is not one of these' }];
          return rotateView(request, token, { errors });
        }
        const confirmed = await confirmGivenPassword(ports, request, password, (errors) =>
          formView(request, token, ports.ids.next(), { grace, errors }),
        );
        if (!confirmed.ok) return confirmed.error;

        const rotation = { id: token.id, graceMs: chosen.graceMs, successorId };
        const rotated = await ports.rotateToken(confirmed.value.caller, rotation);
        if (rotated.ok) {
          const lead = html`<p class="lead">Use it instead of the <a href="${tokenPath(token.id)}">old token</a>, which works ${graceInWords(chosen)}.</p>`;
          return createdView(request, rotated.value, `New token for ${token.name}`, lead);
        }
        const { error } = rotated;
        switch (error.code) {
          case 'token_id_taken':
            return redirect(tokenPath(successorId), 'token_made_before');
          case 'token_not_found':
          case 'not_allowed':
          case 'insufficient_scope':
          case 'token_not_accepted':
          case 'not_found':
            return denied(error);
          default: {
            // The token has changed since it was read, maybe because the same form was sent twice.
            const now = await findToken(ports, request);
            if (!now.ok) return now.error;
            if (now.value.successor === successorId)
              return redirect(tokenPath(successorId), 'token_made_before');
            return rotateView(confirmed.value, now.value, { grace, problem: PROBLEMS[error.code] });
          }
        }
      },
    },
  };
}

const UNCHANGED = 'Nothing was changed.';

const PROBLEMS = {
  invalid_input: `This is not possible. ${UNCHANGED}`,
  token_not_rotatable: `The token was changed in the meantime. ${UNCHANGED}`,
  token_changed: `The token was changed in the meantime. ${UNCHANGED} Look it over, and try again.`,
  creator_not_fit: `The token’s owner was disabled in the meantime. ${UNCHANGED}`,
  key_not_usable: `The signing key was replaced in the meantime. ${UNCHANGED} Try again.`,
  no_active_key: `This server has no key to sign tokens with. ${UNCHANGED} Tell those who run it.`,
  master_key_rejected: `This server cannot read its signing keys. ${UNCHANGED} Tell those who run it.`,
} as const;

function formView(
  request: PageRequest,
  token: TokenInUse,
  formId: TokenId,
  { grace, errors = [], problem: said }: Again,
): View {
  const fields = html`${select({
    name: 'grace',
    label: LABELS.grace,
    hint: 'Counted from the first use of the new one. It never works longer than its own end.',
    options: GRACES,
    chosen: grace || DEFAULT_GRACE,
    errors,
  })}
${passwordAgain(request, errors)}
<p class="actions">${button('Rotate token', 'primary')}${buttonLink(tokenPath(token.id), 'Cancel')}</p>`;
  return view({
    ...changeFrame('Rotate', token),
    scripts: ['send-once.js'],
    content: html`${said === undefined ? null : alert(said)}${errorSummary(errors, LABELS)}
${plan(request, token)}
${form(request, { action: rotatePath(token.id), target: formId, content: fields })}`,
    ...(errors.length > 0 && { status: 422 }),
    ...(said !== undefined && { status: 409 }),
  });
}

/** Says what the rotation will do, and which programs need the new token. */
function plan({ now }: PageRequest, token: TokenInUse): Html {
  const use = useInWords(token.usage, now);
  const end = sameLifeFrom(now, token);
  return html`<p class="lead">A new token with the same name, scopes and owner is made, and shown once. ${
    end === null ? 'It never expires.' : html`It expires on ${lastDay(end)}.`
  } The old one keeps working meanwhile, so that nothing breaks.</p>
${
  use === null
    ? html`<p>${name(token.name)} has never been used.</p>`
    : warning(
        html`<p><strong>${name(token.name)} was used ${use}.</strong> Programs that use it need the new token.</p>`,
      )
}
<p>If the token has leaked, <a href="${revokePath(token.id)}">revoke it</a> instead, because a rotated token still works.</p>`;
}
