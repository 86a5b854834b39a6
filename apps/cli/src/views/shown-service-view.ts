import type { CredentialWithUse, Service, ServiceScope } from '@gatehouse/domain/services';
import { type Column, shortTime } from '@gatehouse/extension-kit/cli';
import { printable } from '../output/printable.ts';
import { createTable, type TableOptions } from '../output/table.ts';
import type { ItemView } from '../output/view.ts';
import { wrap } from '../output/wrap.ts';
import { credentialView } from './credential-view.ts';
import { serviceView } from './service-view.ts';

/** A service, and its credentials with their states. */
interface ShownService extends Service {
  readonly credentials: readonly CredentialWithUse[];
}

/** Shows one service, its scopes, and its credentials. */
export const shownServiceView: ItemView<ShownService> = {
  document: (service) => ({
    ...serviceView.document(service),
    credentials: service.credentials.map(credentialView.document),
  }),
  columns: serviceView.columns.filter(({ title }) => title !== 'SCOPES'),
  below: (service, table) => {
    const { name, scopes, credentials } = service;
    return [
      rowsOr(
        SCOPES,
        scopes,
        table,
        `There are no scopes: \`gatehouse service scope add ${name}:WORD\` adds one.`,
      ),
      rowsOr(
        credentialView.columns,
        credentials,
        table,
        `There are no credentials: \`gatehouse service credential create ${name}\` creates one.`,
      ),
    ].join('\n');
  },
};

const SCOPES: readonly Column<ServiceScope>[] = [
  { title: 'SCOPE', value: ({ name }) => name, essential: true },
  { title: 'LABEL', value: ({ label }) => label, essential: true, flexible: true },
  { title: 'ALLOWS', value: ({ allows }) => allows, essential: true, flexible: true },
  { title: 'REMOVED', value: ({ removedAt }) => shortTime(removedAt) },
];

function rowsOr<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  table: TableOptions,
  none: string,
) {
  return rows.length === 0
    ? `${wrap(printable(none), table.width)}\n`
    : createTable(columns, table).rows(rows);
}
