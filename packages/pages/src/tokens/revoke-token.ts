import { parseTokenId, type TokenInUse } from '@gatehouse/domain/tokens';
import { type FieldErrors, formView } from '../elements/form.ts';
import { button, buttonLink, name } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { useInWords } from '../elements/token-words.ts';
import { type Html, html } from '../html.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { revokePath, tokenPath } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, type Outcome, redirect, view } from '../view.ts';
import { changeFrame, endInWords, findToken } from './token-change.ts';

type Ports = Pick<PageUseCases, 'showTokenUse' | 'revokeToken'>;

export const REASON = {
  label: 'Reason',
  hint: 'Optional. The token’s history shows the reason.',
  maxLength: 500,
} as const;

const FIELDS = { reason: REASON } as const;

/**
 * `/settings/api/{id}/revoke`: shows where a token is in use, and revokes the token. The form does not ask for a
 * password. An admin must be able to revoke a leaked token at once, and the verification of a password can wait in a
 * queue.
 */
export function revokeTokenPage(ports: Ports): SignedInPage<typeof FIELDS> {
  async function show(request: PageRequest, reason = '', errors: FieldErrors = []): Promise<Outcome> {
    const found = await findToken(ports, request);
    if (!found.ok) return found.error;
    const token = found.value;
    const end = endInWords(token, request);
    if (end !== null) {
      const content = html`<div class="sheet">${end}<p>This token has already ended.</p>
<p>${buttonLink(tokenPath(token.id), 'Back to the token')}</p></div>`;
      return view({ ...changeFrame('Revoke', token), content });
    }
    return formView(request, {
      ...changeFrame('Revoke', token),
      lead: warning(consequences(request, token)),
      action: revokePath(token.id),
      fields: FIELDS,
      values: { reason },
      errors,
      content: (field) => html`${field('reason')}
<p class="actions">${button('Revoke token', 'danger')}${buttonLink(tokenPath(token.id), 'Cancel')}</p>`,
    });
  }

  return {
    show: (request, typed) => show(request, typed?.reason),
    form: {
      fields: FIELDS,
      async submit(request, { reason }) {
        const id = parseTokenId(request.params.id ?? '');
        if (id === undefined) return errorPage('not_found');
        const revoked = await ports.revokeToken(request.caller, { id, reason: reason.trim() || null });
        if (revoked.ok && !revoked.value.already) return redirect(tokenPath(id), 'token_revoked');
        if (revoked.ok) return show(request);
        const { error } = revoked;
        return error.code === 'invalid_input' ? show(request, reason, error.problems) : denied(error);
      },
    },
  };
}

function consequences({ now }: PageRequest, token: TokenInUse): Html {
  const use = useInWords(token.usage, now);
  const text =
    use === null
      ? html`<p><strong>${name(token.name)} has never been used</strong>, so no program should stop working.</p>`
      : html`<p><strong>${name(token.name)} was used ${use}.</strong> Programs that use this token stop working at once.</p>`;
  return html`${text}${besides(token)}<p>This cannot be undone.</p>`;
}

/** Says what happens to the other token of a rotation; null if there is no other token. */
function besides({ successor, replaces, usage }: TokenInUse): Html | null {
  if (successor !== null) return html`<p>The token that replaces this one keeps working.</p>`;
  if (replaces === null || usage.lastUsedAt !== null) return null;
  return html`<p>The token that this one was created to replace does not change.</p>`;
}
