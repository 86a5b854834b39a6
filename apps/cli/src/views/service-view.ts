import { livingScopes, type Service, type ServiceScope } from '@gatehouse/domain/services';
import { CREATED, type View } from '@gatehouse/extension-kit/cli';
import { documentOf } from './document.ts';

export const serviceView: View<Service> = {
  document: (service) => ({
    ...documentOf(service, 'name', 'description', 'openTo'),
    scopes: service.scopes.map(scopeDocument),
    ...documentOf(service, 'createdAt', 'deletedAt'),
  }),
  empty: 'There are no services yet. Create one with `gatehouse service create`.',
  columns: [
    { title: 'NAME', value: ({ name }) => name, essential: true },
    { title: 'DESCRIPTION', value: ({ description }) => description ?? '-', flexible: true },
    { title: 'OPEN TO', value: openTo, essential: true, flexible: true },
    { title: 'SCOPES', value: scopeNames, essential: true, flexible: true },
    CREATED,
  ],
};

/** Returns the JSON document of one scope. */
export const scopeDocument = (scope: ServiceScope) =>
  documentOf(scope, 'name', 'label', 'allows', 'removedAt');

/** Names the accounts to which a service is open, for a sentence. */
export function openTo({ openTo: opened }: Pick<Service, 'openTo'>): string {
  if (opened === 'all') return 'all accounts';
  if (opened.length === 0) return 'no account';
  return `${opened.length === 1 ? 'account' : 'accounts'} ${opened.join(', ')}`;
}

function scopeNames(service: Service): string {
  const names = livingScopes(service).map(({ name }) => name);
  return names.length === 0 ? '-' : names.join(' ');
}
