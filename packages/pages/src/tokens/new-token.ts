import type { ScopeChoices } from '@gatehouse/domain/services';
import { parseTokenId, TOKEN_FORMATS, type TokenFormat, type TokenId } from '@gatehouse/domain/tokens';
import { type FieldError, type FieldErrors, type FieldValues, formView } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { OPEN_FOR_TOO_LONG, tokenIdForForm, wasOpenForTooLong } from '../forms/made-once.ts';
import { attributes, html } from '../html.ts';
import { API_TOKENS, NEW_TOKEN, tokenPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, redirect, type View, withAlert } from '../view.ts';
import { createdView } from './new-token/created.ts';
import {
  DEFAULT_EXPIRY,
  EXPIRY_FIELDS,
  expiryField,
  expiryFields,
  expiryOf,
} from './new-token/expiry-choice.ts';
import { ignoredInWords, readPrefill } from './new-token/prefill.ts';
import { scopeBoxes } from './new-token/scope-groups.ts';
import { DESCRIPTION } from './token-page/changes.ts';

type Ports = Pick<PagePorts, 'confirmPassword' | 'ids' | 'issuedFormat' | 'issueToken' | 'listScopeChoices'>;

const FORMATS: Readonly<Record<TokenFormat, string>> = {
  paseto: 'PASETO (v4.public)',
  jwt: 'JWT (EdDSA)',
};

const FIELDS = {
  name: {
    label: 'Name',
    hint: 'What the token is for, such as “ERP” or “nightly export”.',
    isRequired: true,
    maxLength: 200,
  },
  description: DESCRIPTION,
  scopes: {
    label: 'Scopes',
    type: 'checkbox',
    hint: 'What the token can do. A token can never do more than its owner.',
  },
  ...EXPIRY_FIELDS,
  format: {
    label: 'Format',
    type: 'select',
    hint: 'Change the format only if your software requires it.',
    options: FORMATS,
  },
  ...PASSWORD_FIELD,
} as const;

/** The values that the form shows. The password is never shown again. */
type Typed = Omit<FieldValues<typeof FIELDS>, 'password'>;

interface ShownForm {
  /** The id of the form, from which the id of the token is made. */
  readonly id: TokenId;
  readonly choices: ScopeChoices;
  readonly typed: Typed;
  readonly errors?: FieldErrors;
}

/** `/settings/api/new`: creates a token. Only the response to the form shows the token. */
export function newTokenPage(ports: Ports): SignedInPage<typeof FIELDS> {
  function newTokenForm(request: PageRequest, { id, choices, typed, errors = [] }: ShownForm): View {
    const isFormatWrong = errors.some(({ field }) => field === 'format');
    return formView(request, {
      title: 'New API token',
      above: backTo(API_TOKENS, 'API tokens'),
      scripts: ['send-once.js'],
      lead: html`<p class="lead">Programs that use the token act as you, ${request.user.email}, limited to the scopes that you choose.</p>`,
      action: NEW_TOKEN,
      target: id,
      fields: FIELDS,
      values: typed,
      errors,
      content: (field) => html`${field('name', { hasFocus: typed.name === '' })}
${field('description')}
${field('scopes', scopeBoxes(choices))}
${expiryFields(field, typed, request.now)}
<details class="field"${attributes({ open: isFormatWrong })}><summary>More options</summary>
${field('format')}</details>
${passwordAgain(request, field)}
<p class="actions">${button('Create token', 'primary')}${buttonLink(API_TOKENS, 'Cancel')}</p>`,
    });
  }

  return {
    async show(request, typed) {
      const listed = await ports.listScopeChoices(request.caller);
      if (!listed.ok) return denied(listed.error);
      const form = { id: ports.ids.next(), choices: listed.value };
      if (typed) return newTokenForm(request, { ...form, typed });
      const prefill = readPrefill(listed.value, request.query);
      const { name = '', scopes, expires = DEFAULT_EXPIRY, format = ports.issuedFormat } = prefill;
      const filled = { name, description: '', scopes, expires, date: '', format };
      const shown = newTokenForm(request, { ...form, typed: filled });
      return { ...shown, content: html`${ignoredInWords(prefill)}${shown.content}` };
    },
    form: {
      fields: FIELDS,
      async submit(request, { password, ...typed }, target) {
        const formId = parseTokenId(target);
        if (formId === undefined) return errorPage('malformed_body');
        const listed = await ports.listScopeChoices(request.caller);
        if (!listed.ok) return denied(listed.error);
        const choices = listed.value;
        if (wasOpenForTooLong(formId, request.now)) {
          const shown = newTokenForm(request, { id: ports.ids.next(), choices, typed });
          return withAlert(shown, OPEN_FOR_TOO_LONG, 409);
        }
        const again = (errors: FieldErrors, shownTo = request) =>
          newTokenForm(shownTo, { id: formId, choices, typed, errors });

        const expiry = expiryOf(typed);
        const format = TOKEN_FORMATS.find((each) => each === typed.format);
        const errors: FieldError[] = [];
        if (typed.name.trim() === '') errors.push({ field: 'name', message: 'is required' });
        if (typed.scopes.length === 0)
          errors.push({ field: 'scopes', message: 'Choose at least one scope.' });
        if (!expiry.ok) errors.push(expiry.error);
        if (format === undefined) errors.push({ field: 'format', message: 'Choose a format.' });
        if (errors.length > 0 || !expiry.ok || format === undefined) return again(errors);

        const given = await confirmGivenPassword(ports, request, password, again);
        if (!given.ok) return given.error;
        const id = tokenIdForForm(formId, request.user.id);
        const name = typed.name.trim();
        const { scopes, description } = typed;
        const token = { id, name, description, scopes, expiry: expiry.value, format };
        const issued = await ports.issueToken(given.value.caller, token);
        if (issued.ok) return createdView(request, choices, issued.value);
        const { error } = issued;
        const at = (field: string, message: string) => again([{ field, message }], given.value);
        switch (error.code) {
          case 'token_id_taken':
            return redirect(tokenPath(id), 'token_made_before');
          case 'token_name_taken':
            return at('name', 'is already used by another of your tokens');
          case 'invalid_input': {
            // A scope that was chosen may have been removed since the boxes of this form were listed.
            const relisted = await ports.listScopeChoices(given.value.caller);
            if (!relisted.ok) return denied(relisted.error);
            const errors = error.problems.map((problem) => problemAtField(problem, typed));
            return newTokenForm(given.value, { id: formId, choices: relisted.value, typed, errors });
          }
          case 'no_active_key':
          case 'key_not_usable':
            return at(
              'format',
              'This server has no active signing key for this format. Choose another format.',
            );
          case 'master_key_rejected':
            return errorPage('internal_error');
          case 'creator_not_fit':
            return redirect(NEW_TOKEN);
          default:
            return denied(error);
        }
      },
    },
  };
}

/** Returns the problem at the field of the form that it is about. */
function problemAtField({ field, message }: FieldError, typed: Typed): FieldError {
  switch (field) {
    case 'scope':
      return {
        field: 'scopes',
        message:
          'A scope that you chose does not exist any more. Check your choice, and send the form again.',
      };
    case 'expires_at':
    case 'expires_in':
      return { field: expiryField(typed), message };
    default:
      return { field, message };
  }
}
