import type { ScopeChoices } from '@gatehouse/domain/services';
import { formatDuration, parseDuration } from '@gatehouse/domain/time';
import {
  type RuleChanges,
  TOKEN_HOLDERS,
  type TokenHolder,
  type TokenRules,
} from '@gatehouse/domain/token-policy';
import {
  type FieldError,
  type FieldErrors,
  type FieldValues,
  formView,
  type Options,
} from '../../elements/form.ts';
import { button, buttonLink } from '../../elements/inline.ts';
import { backTo } from '../../elements/part.ts';
import { html } from '../../html.ts';
import type { PageUseCases } from '../../page-use-cases.ts';
import { holderRulesPath, TOKEN_RULES } from '../../paths.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../../session/given-password.ts';
import type { PageRequest } from '../../session/page-request.ts';
import type { SignedInPage } from '../../session/signed-in.ts';
import { scopeBoxes } from '../../tokens/new-token/scope-groups.ts';
import { durationInWords } from '../../tokens/rules-in-words.ts';
import { denied, errorPage, redirect, type View, withAlert } from '../../view.ts';
import { HOLDERS } from './words.ts';

type Ports = Pick<
  PageUseCases,
  'confirmPassword' | 'listScopeChoices' | 'setTokenPolicy' | 'showTokenPolicy'
>;

const FIELDS = {
  longest: {
    label: 'Longest lifetime',
    type: 'select',
    hint: 'Rotations shorten a longer lifetime. Tokens that exist do not change.',
  },
  standard: {
    label: 'Default lifetime',
    type: 'select',
    hint: 'Selected when a token is created.',
  },
  networks: {
    label: 'Networks',
    type: 'select',
    hint: 'From elsewhere, a token with enforced networks is refused.',
    options: { optional: 'Optional', required: 'Required, and enforced' },
  },
  confirmed: {
    label: 'Confirmation by an identity provider',
    type: 'select',
    hint: 'When it is overdue, all tokens of the person are refused until the person signs in with the provider again. This also holds for tokens that exist.',
  },
  scopes: {
    label: 'Allowed scopes',
    type: 'checkbox',
    hint: 'Select none to allow all scopes. “Everything” also allows each other scope of the API.',
  },
  ...PASSWORD_FIELD,
} as const;

type Typed = Omit<FieldValues<typeof FIELDS>, 'password' | 'code'>;

/** The lifetimes that the selects always offer, in days. */
const DAYS = [7, 30, 60, 90, 180, 365, 730] as const;

const OLDER_EDITION =
  'A server or a command of an older version is connected to the database. It would not obey the rules, so they were not changed. Try again after all servers were upgraded.';

const DAY_MS = 86_400_000;

interface Edited {
  readonly holder: TokenHolder;
  readonly choices: ScopeChoices;
  readonly typed: Typed;
  readonly errors?: FieldErrors;
}

/** `/settings/account/rules/{holder}`: changes the rules for the tokens of people, or of service accounts. */
export function editRulesPage(ports: Ports): SignedInPage<typeof FIELDS> {
  function editView(request: PageRequest, { holder, choices, typed, errors = [] }: Edited): View {
    return formView(request, {
      title: `Token rules for ${HOLDERS[holder].name}`,
      above: backTo(TOKEN_RULES, 'Token rules'),
      scripts: ['send-once.js'],
      action: holderRulesPath(holder),
      fields: FIELDS,
      values: typed,
      errors,
      content: (field) => html`${field('longest', {
        options: {
          any: 'Any, and tokens may never expire',
          finite: 'Any, but tokens must expire',
          ...lifetimes(typed.longest),
        },
      })}
${field('standard', { options: { ...lifetimes(typed.standard), never: 'Never expires' } })}
${field('networks')}
${holder === 'person' ? field('confirmed', { options: { none: 'Not required', ...lifetimes(typed.confirmed) } }) : null}
${field('scopes', scopeBoxes(choices))}
${passwordAgain(request, field)}
<p class="actions">${button('Save rules', 'primary')}${buttonLink(TOKEN_RULES, 'Cancel')}</p>`,
    });
  }

  return {
    async show(request, typed) {
      const holder = holderIn(request);
      if (holder === undefined) return errorPage('not_found');
      const shown = await ports.showTokenPolicy(request.caller, request.caller.accountId);
      if (!shown.ok) return denied(shown.error);
      const choices = await ports.listScopeChoices(request.caller);
      if (!choices.ok) return denied(choices.error);
      return editView(request, {
        holder,
        choices: choices.value,
        typed: typed ?? valuesOf(shown.value.own[holder]),
      });
    },
    form: {
      fields: FIELDS,
      async submit(request, { password, code, ...typed }) {
        const holder = holderIn(request);
        if (holder === undefined) return errorPage('not_found');
        const choices = await ports.listScopeChoices(request.caller);
        if (!choices.ok) return denied(choices.error);
        const again = (errors: FieldErrors, shownTo = request) =>
          editView(shownTo, { holder, choices: choices.value, typed, errors });
        const changes = changesIn(typed);
        if (changes === undefined)
          return again([{ field: 'longest', message: 'Choose a lifetime of the list.' }]);
        const given = await confirmGivenPassword(ports, request, { password, code }, again);
        if (!given.ok) return given.error;
        const { caller } = given.value;
        const set = await ports.setTokenPolicy(caller, {
          accountId: caller.accountId,
          changes: { [holder]: changes },
        });
        if (set.ok) return redirect(TOKEN_RULES, 'rules_changed');
        const { error } = set;
        if (error.code === 'older_edition_serves')
          return withAlert(again([], given.value), OLDER_EDITION, 409);
        if (error.code !== 'invalid_input') return denied(error);
        return again(error.problems.map(atField), given.value);
      },
    },
  };
}

const holderIn = ({ params }: PageRequest) =>
  TOKEN_HOLDERS.find((holder) => HOLDERS[holder].path === params.holder);

/** The options of a select: the usual lifetimes, and the chosen one if it is another. */
function lifetimes(chosen: string): Options {
  const usual = DAYS.map((days) => days * DAY_MS);
  const other = parseDuration(chosen);
  const all = other === undefined || usual.includes(other) ? usual : [...usual, other];
  return Object.fromEntries(
    all.toSorted((a, b) => a - b).map((lifetime) => [formatDuration(lifetime), durationInWords(lifetime)]),
  );
}

function valuesOf({
  mustExpire,
  maxLifetimeMs,
  defaultLifetimeMs,
  confirmWithinMs,
  ...rules
}: TokenRules): Typed {
  return {
    longest: maxLifetimeMs === null ? (mustExpire ? 'finite' : 'any') : formatDuration(maxLifetimeMs),
    standard: defaultLifetimeMs === null ? 'never' : formatDuration(defaultLifetimeMs),
    networks: rules.mustHaveNetworks ? 'required' : 'optional',
    confirmed: confirmWithinMs === null ? 'none' : formatDuration(confirmWithinMs),
    scopes: rules.scopes ?? [],
  };
}

/** Returns the changes that the form asks for; undefined if a select has a value that it did not offer. */
function changesIn({ longest, standard, networks, confirmed, scopes }: Typed): RuleChanges | undefined {
  const maxLifetimeMs = longest === 'any' || longest === 'finite' ? null : parseDuration(longest);
  const defaultLifetimeMs = standard === 'never' ? null : parseDuration(standard);
  // The form for service accounts and that of an older page have no such field, and change nothing about it.
  const within = confirmed === '' ? 'kept' : confirmed === 'none' ? null : parseDuration(confirmed);
  if (maxLifetimeMs === undefined || defaultLifetimeMs === undefined || within === undefined)
    return undefined;
  return {
    maxLifetimeMs,
    mustExpire: longest !== 'any',
    defaultLifetimeMs,
    scopes: scopes.length === 0 ? null : scopes,
    // A form of an older page has no such field, and changes nothing about networks.
    ...(within !== 'kept' && { confirmWithinMs: within }),
    ...(networks !== '' && { mustHaveNetworks: networks === 'required' }),
  };
}

/** Returns the problem at the field of the form that it is about. */
function atField({ field, message }: FieldError): FieldError {
  switch (field) {
    case 'default_lifetime':
      return { field: 'standard', message };
    case 'confirm_within':
      return { field: 'confirmed', message };
    case 'scope':
      return {
        field: 'scopes',
        message: 'A scope that you chose does not exist any more. Check your choice.',
      };
    default:
      return { field: 'longest', message };
  }
}
