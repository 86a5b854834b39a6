import { authorize, ISSUE_TOKENS } from '@gatehouse/domain/access';
import type { Catalog } from '@gatehouse/domain/resources';
import { parseTokenId, TOKEN_FORMATS, type TokenFormat, type TokenId } from '@gatehouse/domain/tokens';
import { button, buttonLink } from './elements/button.ts';
import { errorSummary, type FieldError, input, select } from './elements/field.ts';
import { form } from './elements/form.ts';
import { backTo } from './elements/navigation.ts';
import { alert } from './elements/notice.ts';
import { scopeChoices } from './elements/scopes.ts';
import { OPEN_FOR_TOO_LONG, tokenIdForForm, wasOpenForTooLong } from './forms/made-once.ts';
import { attributes, html } from './html.ts';
import { createdView } from './new-token/created.ts';
import { DEFAULT_EXPIRY, expiryField, expiryFields, expiryOf } from './new-token/expiry-choice.ts';
import { ignoredInWords, readPrefill } from './new-token/prefill.ts';
import { API_TOKENS, NEW_TOKEN, tokenPath } from './paths.ts';
import type { PagePorts } from './ports.ts';
import {
  confirmGivenPassword,
  PASSWORD_FIELD,
  PASSWORD_LABEL,
  passwordAgain,
} from './session/given-password.ts';
import type { PageRequest } from './session/page-request.ts';
import type { SignedInPage } from './session/signed-in.ts';
import { denied, errorPage, redirect, type View, view } from './view.ts';

type Ports = Pick<PagePorts, 'catalog' | 'confirmPassword' | 'ids' | 'issuedFormat' | 'issueToken'>;

const FIELDS = {
  name: 'text',
  scopes: 'choices',
  expires: 'text',
  date: 'text',
  format: 'text',
  ...PASSWORD_FIELD,
} as const;

const LABELS = {
  name: 'Name',
  scopes: 'Scopes',
  expires: 'Expires',
  date: 'Last day',
  format: 'Format',
  ...PASSWORD_LABEL,
};

const FORMAT_WORDS: Readonly<Record<TokenFormat, string>> = {
  paseto: 'PASETO (v4.public)',
  jwt: 'JWT (EdDSA)',
};

/** The values that the form shows. It never shows the password. */
type Typed = Readonly<Record<'name' | 'expires' | 'date' | 'format', string>> & {
  readonly scopes: readonly string[];
};

/** `/settings/api/new`: makes a token. The response shows it once. */
export function newTokenPage(ports: Ports): SignedInPage<typeof FIELDS> {
  const { catalog } = ports;
  return {
    show(request, typed) {
      const allowed = authorize(request.caller, ISSUE_TOKENS);
      if (!allowed.ok) return denied(allowed.error);
      const formId = ports.ids.next();
      if (typed) return formView(catalog, request, formId, typed);
      const prefill = readPrefill(catalog, request.query);
      const { name = '', scopes, expires = DEFAULT_EXPIRY, format = ports.issuedFormat } = prefill;
      const shown = formView(catalog, request, formId, { name, scopes, expires, date: '', format });
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
          const shown = formView(catalog, request, ports.ids.next(), typed);
          return { ...shown, status: 409, content: html`${alert(OPEN_FOR_TOO_LONG)}${shown.content}` };
        }
        const again = (errors: readonly FieldError[], shownTo = request) =>
          formView(catalog, shownTo, formId, typed, errors);

        const scopes = catalog.parseScopes(typed.scopes);
        const expiry = expiryOf(typed);
        const format = TOKEN_FORMATS.find((each) => each === typed.format);
        const errors: FieldError[] = [];
        if (typed.name.trim() === '') errors.push({ field: 'name', message: 'is needed' });
        if (!scopes.ok) errors.push({ field: 'scopes', message: 'choose at least one' });
        if (!expiry.ok) errors.push(expiry.error);
        if (format === undefined) errors.push({ field: 'format', message: 'choose one' });
        if (errors.length > 0 || !scopes.ok || !expiry.ok || format === undefined) return again(errors);

        const given = await confirmGivenPassword(ports, request, password, again);
        if (!given.ok) return given.error;
        const id = tokenIdForForm(formId, request.user.id);
        const name = typed.name.trim();
        const issued = await ports.issueToken(given.value.caller, {
          id,
          name,
          scopes: scopes.value,
          expiry: expiry.value,
          format,
        });
        if (issued.ok) return createdView(request, issued.value);
        const { error } = issued;
        const at = (field: string, message: string) => again([{ field, message }], given.value);
        switch (error.code) {
          case 'token_id_taken':
            return redirect(tokenPath(id), 'token_made_before');
          case 'token_name_taken':
            return at('name', 'another of your tokens has it');
          case 'invalid_input':
            return again(
              error.problems.map(({ field, message }) => ({
                field: field === 'expires_at' || field === 'expires_in' ? expiryField(typed) : field,
                message,
              })),
              given.value,
            );
          case 'no_active_key':
          case 'key_not_usable':
            return at('format', 'this server has no active key for it: choose another');
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

function formView(
  catalog: Catalog,
  request: PageRequest,
  formId: TokenId,
  { name, scopes, expires, date, format }: Typed,
  errors: readonly FieldError[] = [],
): View {
  const isFormatWrong = errors.some(({ field }) => field === 'format');
  const fields = html`${input({
    name: 'name',
    label: LABELS.name,
    hint: 'What will use it, such as “ERP” or “nightly export”.',
    value: name,
    isRequired: true,
    hasFocus: name === '',
    maxLength: 200,
    errors,
  })}
${scopeChoices(catalog, scopes, errors)}
${expiryFields({ expires, date }, request.now, errors)}
<details class="field"${attributes({ open: isFormatWrong })}><summary>More</summary>
${select({
  name: 'format',
  label: LABELS.format,
  hint: 'Choose another one only for software that asks for it.',
  options: TOKEN_FORMATS.map((value) => ({ value, label: FORMAT_WORDS[value] })),
  chosen: format,
  errors,
})}</details>
${passwordAgain(request, errors)}
<p class="actions">${button('Create token', 'primary')}${buttonLink(API_TOKENS, 'Cancel')}</p>`;
  return view({
    title: 'New API token',
    above: backTo(API_TOKENS, 'API tokens'),
    content: html`${errorSummary(errors, LABELS)}<p class="lead">It acts for you, ${request.user.email}, within its scopes.</p>
${form(request, { action: NEW_TOKEN, target: formId, content: fields })}`,
    scripts: ['send-once.js'],
    ...(errors.length > 0 && { status: 422 }),
  });
}
