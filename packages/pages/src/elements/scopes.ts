import type { Catalog } from '@gatehouse/domain/resources';
import { type Html, html } from '../html.ts';
import { choices, type FieldError } from './field.ts';

/** Check boxes for the scopes of a token. The narrow ones come first, so that the widest is not chosen in a hurry. */
export function scopeChoices(
  { scopes, scopeWords }: Catalog,
  chosen: readonly string[],
  errors: readonly FieldError[],
): Html {
  return choices({
    name: 'scopes',
    label: 'Scopes',
    type: 'checkbox',
    hint: 'What the token may do. It can never do more than its owner.',
    choices: scopes
      .toSorted((one, other) => Number(one === '*') - Number(other === '*'))
      .map((scope) => {
        const { label = scope, allows = '' } = scopeWords(scope) ?? {};
        return { value: scope, label: html`${label} <code>${scope}</code>`, hint: allows };
      }),
    chosen,
    errors,
  });
}
