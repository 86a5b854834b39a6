import { SCOPES, type Scope } from '@gatehouse/domain/access';
import { type Html, html } from '../html.ts';
import { choices, type FieldError } from './field.ts';

interface ScopeWords {
  readonly label: string;
  /** What a token with it may do. */
  readonly allows: string;
}

/** What each scope allows, in words for those who make tokens. */
export const SCOPE_WORDS: Readonly<Record<Scope, ScopeWords>> = {
  '*': {
    label: 'Everything',
    allows: 'All that its owner may do through the API, now and in later versions.',
  },
  'me:read': { label: 'Read its owner', allows: 'Whose token it is, with name, email, role and account.' },
  'orgs:read': { label: 'Read organizations', allows: 'The organizations of the account, one at a time.' },
};

/** The narrow scopes first: the widest is not what is chosen in a hurry. */
const OFFERED = SCOPES.toSorted((one, other) => Number(one === '*') - Number(other === '*'));

/** Boxes for the scopes of a token. */
export function scopeChoices(chosen: readonly string[], errors: readonly FieldError[]): Html {
  return choices({
    name: 'scopes',
    label: 'Scopes',
    type: 'checkbox',
    hint: 'What the token may do. It can never do more than its owner.',
    choices: OFFERED.map((scope) => {
      const { label, allows } = SCOPE_WORDS[scope];
      return { value: scope, label: html`${label} <code>${scope}</code>`, hint: allows };
    }),
    chosen,
    errors,
  });
}
