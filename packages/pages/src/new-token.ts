import { authorize, ISSUE_TOKENS } from '@gatehouse/domain/access';
import type { Catalog } from '@gatehouse/domain/resources';
import { parseTokenId, TOKEN_FORMATS, type TokenFormat, type TokenId } from '@gatehouse/domain/tokens';
import {
  type Choice,
  type FieldError,
  type FieldErrors,
  type FieldValues,
  formView,
} from './elements/form.ts';
import { button, buttonLink } from './elements/inline.ts';
import { backTo } from './elements/part.ts';
import { OPEN_FOR_TOO_LONG, tokenIdForForm, wasOpenForTooLong } from './forms/made-once.ts';
import { attributes, html } from './html.ts';
import { createdView } from './new-token/created.ts';
import {
  DEFAULT_EXPIRY,
  EXPIRY_FIELDS,
  expiryField,
  expiryFields,
  expiryOf,
} from './new-token/expiry-choice.ts';
import { ignoredInWords, readPrefill } from './new-token/prefill.ts';
import { API_TOKENS, NEW_TOKEN, tokenPath } from './paths.ts';
import type { PagePorts } from './ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from './session/given-password.ts';
import type { PageRequest } from './session/page-request.ts';
import type { SignedInPage } from './session/signed-in.ts';
import { denied, errorPage, redirect, type View, withAlert } from './view.ts';

type Ports = Pick<PagePorts, 'catalog' | 'confirmPassword' | 'ids' | 'issuedFormat' | 'issueToken'>;

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

/** `/settings/api/new`: creates a token. Only the response to the form shows the token. */
export function newTokenPage(ports: Ports): SignedInPage<typeof FIELDS> {
  const { catalog } = ports;

  function newTokenForm(request: PageRequest, formId: TokenId, typed: Typed, errors: FieldErrors = []): View {
    const isFormatWrong = errors.some(({ field }) => field === 'format');
    return formView(request, {
      title: 'New API token',
      above: backTo(API_TOKENS, 'API tokens'),
      scripts: ['send-once.js'],
      lead: html`<p class="lead">Programs that use the token act as you, ${request.user.email}, limited to the scopes that you choose.</p>`,
      action: NEW_TOKEN,
      target: formId,
      fields: FIELDS,
      values: typed,
      errors,
      content: (field) => html`${field('name', { hasFocus: typed.name === '' })}
${field('scopes', { choices: scopeChoices(catalog) })}
${expiryFields(field, typed, request.now)}
<details class="field"${attributes({ open: isFormatWrong })}><summary>More options</summary>
${field('format')}</details>
${passwordAgain(request, field)}
<p class="actions">${button('Create token', 'primary')}${buttonLink(API_TOKENS, 'Cancel')}</p>`,
    });
  }

  return {
    show(request, typed) {
      const allowed = authorize(request.caller, ISSUE_TOKENS);
      if (!allowed.ok) return denied(allowed.error);
      const formId = ports.ids.next();
      if (typed) return newTokenForm(request, formId, typed);
      const prefill = readPrefill(catalog, request.query);
      const { name = '', scopes, expires = DEFAULT_EXPIRY, format = ports.issuedFormat } = prefill;
      const shown = newTokenForm(request, formId, { name, scopes, expires, date: '', format });
      return { ...shown, content: html`${ignoredInWords(prefill)}${shown.content}` };
    },
    form: {
      fields: FIELDS,
      async submit(request, { password, ...typed }, target) {
        const formId = parseTokenId(target);
        if (formId === undefined) return errorPage('malformed_body');
        const allowed = authorize(request.caller, ISSUE_TOKENS);
        if (!allowed.ok) return denied(allowed.error);
        if (wasOpenForTooLong(formId, request.now)) {
          const shown = newTokenForm(request, ports.ids.next(), typed);
          return withAlert(shown, OPEN_FOR_TOO_LONG, 409);
        }
        const again = (errors: FieldErrors, shownTo = request) =>
          newTokenForm(shownTo, formId, typed, errors);

        const scopes = catalog.parseScopes(typed.scopes);
        const expiry = expiryOf(typed);
        const format = TOKEN_FORMATS.find((each) => each === typed.format);
        const errors: FieldError[] = [];
        if (typed.name.trim() === '') errors.push({ field: 'name', message: 'is required' });
        if (!scopes.ok) errors.push({ field: 'scopes', message: 'choose at least one' });
        if (!expiry.ok) errors.push(expiry.error);
        if (format === undefined) errors.push({ field: 'format', message: 'choose a format' });
        if (errors.length > 0 || !scopes.ok || !expiry.ok || format === undefined) return again(errors);

        const given = await confirmGivenPassword(ports, request, password, again);
        if (!given.ok) return given.error;
        const id = tokenIdForForm(formId, request.user.id);
        const name = typed.name.trim();
        const token = { id, name, scopes: scopes.value, expiry: expiry.value, format };
        const issued = await ports.issueToken(given.value.caller, token);
        if (issued.ok) return createdView(request, issued.value);
        const { error } = issued;
        const at = (field: string, message: string) => again([{ field, message }], given.value);
        switch (error.code) {
          case 'token_id_taken':
            return redirect(tokenPath(id), 'token_made_before');
          case 'token_name_taken':
            return at('name', 'is already used by another of your tokens');
          case 'invalid_input': {
            const isExpiry = (field: string) => field === 'expires_at' || field === 'expires_in';
            const fieldOf = (field: string) => (isExpiry(field) ? expiryField(typed) : field);
            const problems = error.problems.map((each) => ({ ...each, field: fieldOf(each.field) }));
            return again(problems, given.value);
          }
          case 'no_active_key':
          case 'key_not_usable':
            return at(
              'format',
              'this server has no active signing key for this format: choose another format',
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

/**
 * Returns a box for each scope. The box for all scopes is the last one, because users in a hurry check one of the first
 * boxes.
 */
function scopeChoices({ scopes, scopeWords }: Catalog): readonly Choice[] {
  return scopes
    .toSorted((one, other) => Number(one === '*') - Number(other === '*'))
    .map((scope) => {
      const { label = scope, allows = '' } = scopeWords(scope) ?? {};
      return { value: scope, label: html`${label} <code>${scope}</code>`, hint: allows };
    });
}
