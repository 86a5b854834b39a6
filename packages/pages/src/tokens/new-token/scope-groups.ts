import type { Scope } from '@gatehouse/domain/access';
import { everyScopeOf, type ScopeChoices, type ServiceScopes } from '@gatehouse/domain/services';
import type { Choice, ChoiceGroup } from '../../elements/choices.ts';
import type { Field } from '../../elements/form.ts';
import { name } from '../../elements/inline.ts';
import { html } from '../../html.ts';

/**
 * Returns a box for each scope that the token can have. If there are services, the scopes of each one are a group below
 * those of Gatehouse. The box for all scopes of a group is its last one, because users in a hurry check one of the
 * first boxes.
 *
 * @param isOffered whether to return the box of a scope; default: of all
 */
export function scopeBoxes(
  choices: ScopeChoices,
  isOffered: (scope: Scope) => boolean = () => true,
): Pick<Field, 'choices' | 'groups'> {
  const own = lastly('*', choices.own.filter(isOffered)).map((scope) => box(choices, scope));
  const services = choices.services
    .map((service) => ({ ...service, scopes: service.scopes.filter(isOffered) }))
    .filter(({ scopes }) => scopes.length > 0);
  if (services.length === 0) return { choices: own };
  const ofGatehouse = {
    legend: 'API of Gatehouse',
    hint: 'These scopes, also Everything, allow nothing at a service.',
    choices: own,
  };
  return { groups: [ofGatehouse, ...services.map((service) => groupOf(choices, service))] };
}

function groupOf(choices: ScopeChoices, service: ServiceScopes): ChoiceGroup {
  const { description } = service;
  return {
    legend: html`Service ${service.name}`,
    hint: description === null ? null : name(description),
    choices: lastly(everyScopeOf(service.name), service.scopes).map((scope) => box(choices, scope)),
  };
}

function box({ words }: ScopeChoices, scope: Scope): Choice {
  const { label = scope, allows = '' } = words(scope) ?? {};
  return { value: scope, label: html`${name(label)} <code>${scope}</code>`, hint: name(allows) };
}

const lastly = <S extends Scope>(last: S, scopes: readonly S[]) =>
  scopes.toSorted((one, other) => Number(one === last) - Number(other === last));
