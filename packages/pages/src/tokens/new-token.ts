import { err, ok, type Result } from '@gatehouse/domain';
import type { Scope } from '@gatehouse/domain/access';
import type { ScopeChoices } from '@gatehouse/domain/services';
import { effectiveRules, isListed, type TokenRules } from '@gatehouse/domain/token-policy';
import {
  type NetworksInput,
  parseTokenId,
  TOKEN_FORMATS,
  type TokenFormat,
  type TokenId,
} from '@gatehouse/domain/tokens';
import {
  type FieldError,
  type FieldErrors,
  type FieldValues,
  formView,
  hiddenFields,
} from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { guardedForm, isGuardError } from '../forms/forbidden.ts';
import { OPEN_FOR_TOO_LONG, tokenIdForForm, wasOpenForTooLong } from '../forms/made-once.ts';
import { attributes, html } from '../html.ts';
import { API_TOKENS, NEW_TOKEN, tokenPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, type ErrorPage, errorPage, redirect, type View, withAlert } from '../view.ts';
import { MODE, NETWORKS, networksOf, OLDER_EDITION } from './networks/fields.ts';
import { createdView } from './new-token/created.ts';
import {
  defaultExpiry,
  EXPIRY_FIELDS,
  expiryField,
  expiryFields,
  expiryOf,
} from './new-token/expiry-choice.ts';
import { OWNER_FIELD, type OwnerChoice, ownerForm, ownerLead, ownerOf } from './new-token/owner-choice.ts';
import { ignoredInWords, readPrefill } from './new-token/prefill.ts';
import { scopeBoxes } from './new-token/scope-groups.ts';
import { lifetimeProblemInWords, NETWORKS_REQUIRED, scopesProblemInWords } from './rules-in-words.ts';
import { DESCRIPTION } from './token-page/changes.ts';

type Ports = Pick<
  PagePorts,
  | 'confirmPassword'
  | 'ids'
  | 'issuedFormat'
  | 'issueToken'
  | 'listOwnServiceAccounts'
  | 'listScopeChoices'
  | 'showServiceAccount'
  | 'showTokenPolicy'
>;

const FORMATS: Readonly<Record<TokenFormat, string>> = {
  paseto: 'PASETO (v4.public)',
  jwt: 'JWT (EdDSA)',
};

const FIELDS = {
  ...OWNER_FIELD,
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
  networks: { ...NETWORKS, hint: `Optional. ${NETWORKS.hint} Empty: the token may be used from everywhere.` },
  mode: MODE,
  format: {
    label: 'Format',
    type: 'select',
    hint: 'Change the format only if your software requires it.',
    options: FORMATS,
  },
  ...PASSWORD_FIELD,
} as const;

/** Replaces parts of the field if the rules of the account demand networks. */
const DEMANDED = { hint: `Tokens of your account need networks. ${NETWORKS.hint}`, isRequired: true };

/** The fields that are shown only if the user opens more options. */
const OPTIONS: ReadonlySet<string> = new Set(['networks', 'mode', 'format']);

/** The values that the form shows. The password is never shown again. */
type Typed = Omit<FieldValues<typeof FIELDS>, 'password' | 'code'>;

/** The choices for a new token. */
interface Offer extends OwnerChoice {
  readonly choices: ScopeChoices;
  readonly rules: TokenRules;
}

interface ShownForm extends Offer {
  /** The id of the form, from which the id of the token is made. */
  readonly id: TokenId;
  readonly typed: Typed;
  readonly errors?: FieldErrors;
}

/** `/settings/api/new`: creates a token. Only the response to the form shows the token. */
export function newTokenPage(ports: Ports): SignedInPage<typeof FIELDS> {
  async function find(request: PageRequest, owner: string): Promise<Result<Offer, ErrorPage>> {
    const { caller } = request;
    const choices = await ports.listScopeChoices(caller);
    if (!choices.ok) return err(denied(choices.error));
    const policy = await ports.showTokenPolicy(caller, caller.accountId);
    if (!policy.ok) return err(denied(policy.error));
    const chosen = await ownerOf(ports, request, owner);
    if (!chosen.ok) return err(denied(chosen.error));
    const rules = effectiveRules(policy.value, chosen.value.owner?.kind ?? 'person');
    return ok({ ...chosen.value, choices: choices.value, rules });
  }

  function newTokenForm(request: PageRequest, shown: ShownForm): View {
    const { id, choices, rules, typed, errors = [], owner } = shown;
    const isOffered = (scope: Scope) => rules.scopes === null || isListed(rules.scopes, scope);
    const isOptionWrong = errors.some(({ field }) => OPTIONS.has(field));
    const { mustHaveNetworks } = rules;
    const isOpen = mustHaveNetworks || isOptionWrong || typed.networks.trim() !== '';
    return formView(request, {
      title: 'New API token',
      above: backTo(API_TOKENS, 'API tokens'),
      scripts: ['send-once.js'],
      lead: html`<p class="lead">${ownerLead(shown, request)}</p>${ownerForm(shown)}`,
      action: NEW_TOKEN,
      target: id,
      fields: FIELDS,
      values: typed,
      errors,
      content: (
        field,
      ) => html`${owner ? hiddenFields({ owner: owner.email }) : null}${field('name', { hasFocus: typed.name === '' })}
${field('description')}
${field('scopes', scopeBoxes(choices, isOffered))}
${expiryFields(field, typed, rules, request.now)}
<details class="field"${attributes({ open: isOpen })}><summary>More options</summary>
${field('networks', mustHaveNetworks ? DEMANDED : {})}
${mustHaveNetworks ? null : field('mode')}
${field('format')}</details>
${passwordAgain(request, field)}
<p class="actions">${button('Create token', 'primary')}${buttonLink(API_TOKENS, 'Cancel')}</p>`,
    });
  }

  return {
    async show(request, typed) {
      const offer = await find(request, typed?.owner ?? request.query.get('owner') ?? '');
      if (!offer.ok) return offer.error;
      const { choices, rules } = offer.value;
      const form = { ...offer.value, id: ports.ids.next() };
      if (typed) return newTokenForm(request, { ...form, typed });
      const prefill = readPrefill(choices, request.query);
      const { name = '', scopes, expires = defaultExpiry(rules), format = ports.issuedFormat } = prefill;
      const filled = {
        owner: '',
        name,
        description: '',
        scopes,
        expires,
        date: '',
        networks: '',
        mode: 'enforced',
        format,
      };
      const shown = newTokenForm(request, { ...form, typed: filled });
      return { ...shown, content: html`${ignoredInWords(prefill)}${shown.content}` };
    },
    form: {
      fields: FIELDS,
      async submit(request, { password, code, ...typed }, target) {
        const formId = parseTokenId(target);
        if (formId === undefined) return errorPage('malformed_body');
        const offer = await find(request, typed.owner);
        if (!offer.ok) return offer.error;
        const { choices, owner, rules } = offer.value;
        if (typed.owner !== '' && !owner) return errorPage('not_found');
        if (wasOpenForTooLong(formId, request.now)) {
          const shown = newTokenForm(request, { ...offer.value, id: ports.ids.next(), typed });
          return withAlert(shown, OPEN_FOR_TOO_LONG, 409);
        }
        const again = (errors: FieldErrors, shownTo = request) =>
          newTokenForm(shownTo, { ...offer.value, id: formId, typed, errors });

        const expiry = expiryOf(typed);
        const format = TOKEN_FORMATS.find((each) => each === typed.format);
        const errors: FieldError[] = [];
        if (typed.name.trim() === '') errors.push({ field: 'name', message: 'is required' });
        if (typed.scopes.length === 0)
          errors.push({ field: 'scopes', message: 'Choose at least one scope.' });
        if (!expiry.ok) errors.push(expiry.error);
        if (format === undefined) errors.push({ field: 'format', message: 'Choose a format.' });
        const networks = networksIn(typed, rules);
        if (networks === undefined) errors.push({ field: 'mode', message: 'Choose what the networks do.' });
        if (errors.length > 0 || !expiry.ok || format === undefined) return again(errors);

        const given = await confirmGivenPassword(ports, request, { password, code }, again);
        if (!given.ok) return given.error;
        const id = tokenIdForForm(formId, request.user.id);
        const name = typed.name.trim();
        const { scopes, description } = typed;
        const limits = networks ? { networks } : {};
        const token = {
          id,
          owner: owner?.id,
          name,
          description,
          scopes,
          expiry: expiry.value,
          format,
          ...limits,
        };
        const issued = await ports.issueToken(given.value.caller, token);
        if (issued.ok) return createdView(request, choices, issued.value);
        const { error } = issued;
        const at = (field: string, message: string) => again([{ field, message }], given.value);
        if (isGuardError(error)) return guardedForm(again([], given.value), error);
        switch (error.code) {
          case 'token_id_taken':
            return redirect(tokenPath(id), 'token_made_before');
          case 'token_name_taken':
            return at('name', 'is already used by another token of the same owner');
          case 'invalid_input': {
            // A scope that was chosen may have been removed since the boxes of this form were listed.
            const relisted = await ports.listScopeChoices(given.value.caller);
            if (!relisted.ok) return denied(relisted.error);
            const errors = error.problems.map((problem) => problemAtField(problem, typed));
            return newTokenForm(given.value, {
              ...offer.value,
              id: formId,
              choices: relisted.value,
              typed,
              errors,
            });
          }
          case 'lifetime_not_allowed':
            return at(expiryField(typed), lifetimeProblemInWords(error));
          case 'scopes_not_allowed':
            return at('scopes', scopesProblemInWords(error));
          case 'networks_required':
            return at('networks', NETWORKS_REQUIRED);
          case 'no_active_key':
          case 'key_not_usable':
            return at(
              'format',
              'This server has no active signing key for this format. Choose another format.',
            );
          case 'older_edition_serves':
            return withAlert(again([], given.value), OLDER_EDITION, 409);
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

/** The networks that the form sent; null if it sent none, and undefined for an effect that it does not offer. */
function networksIn(
  { networks, mode }: Typed,
  { mustHaveNetworks }: TokenRules,
): NetworksInput | null | undefined {
  if (networks.trim() === '') return null;
  return networksOf(networks, mustHaveNetworks ? 'enforced' : mode);
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
    case 'network':
      return { field: 'networks', message };
    case 'expires_at':
    case 'expires_in':
      return { field: expiryField(typed), message };
    default:
      return { field, message };
  }
}
