import { type Mutation, mutation } from '../mutation.ts';

const POOL_SHARE = 'packages/postgres/src/database/pool/pool-share.ts';
const EXTENSION_DATABASE = 'packages/postgres/src/extensions/extension-database.ts';
const RESOURCE = 'packages/domain/src/resources/resource.ts';

/** The protection of Gatehouse from its extensions, and of extensions from each other: requirements 73 and 74. */
export const EXTENSION_MUTATIONS: readonly Mutation[] = [
  mutation([73], 'An extension may have every connection.', {
    file: EXTENSION_DATABASE,
    find: 'MAX_CONNECTIONS = 3',
    replace: 'MAX_CONNECTIONS = 99',
  }),
  mutation([73], 'Extensions together may have every connection.', {
    file: POOL_SHARE,
    find: 'lanes.map((lane) =>',
    replace: 'lanes.slice(0, 1).map((lane) =>',
  }),
  mutation([73], 'A connection that an extension never releases is not taken back.', {
    file: POOL_SHARE,
    find: 'MAX_IDLE_MS = 12_000',
    replace: 'MAX_IDLE_MS = 1e9',
  }),
  mutation([73], 'An extension is served whatever the state of its tables.', {
    file: EXTENSION_DATABASE,
    find: `=== 'behind'`,
    replace: `=== ('never' as SchemaState)`,
  }),
  mutation([73], 'The first extension that fails ends the migration of all.', {
    file: 'packages/installation/src/migrate-installation.ts',
    find: 'failed.push({ name, error });',
    replace: 'throw error;',
  }),
  mutation([73], 'A migration is made statement by statement.', {
    file: 'packages/postgres/src/database/migrator/migrate.ts',
    find: 'migrateUp({ disableTransactions })',
    replace: 'migrateUp({ disableTransactions: true })',
  }),
  mutation([73], 'A route of an extension has no time limit.', {
    file: 'apps/server/src/extension-routes.ts',
    find: 'return await Promise.race([handling, deadline(settled.signal)]);',
    replace: 'return await handling;',
  }),
  mutation([73], 'Rows of a table are dropped with those of any other.', {
    file: 'packages/cache/src/remembered-rows.ts',
    find: "'table' in change && change.table === table",
    replace: "'table' in change",
  }),
  mutation([74], 'An extension may have the scopes of others.', {
    file: RESOURCE,
    find: '!scope.startsWith(`${name}:`)',
    replace: "scope === ''",
  }),
  mutation([74], 'Two extensions may have rules of one name.', {
    file: 'packages/domain/src/resources/catalog.ts',
    find: "  unique('rule', resources, ({ rules }) => rules.map(({ name }) => name));\n",
  }),
  mutation([74], 'A refusal code may have two meanings.', {
    file: 'packages/domain/src/resources/check-refusals.ts',
    find: '({ refusals = {} }) => Object.keys(refusals)',
    replace: '() => []',
  }),
  mutation([74], 'Servers do not compare the refusals of extensions.', {
    file: 'apps/server/src/start/load-extension.ts',
    find: '  checkRefusals(extensions, Object.keys(PROBLEMS));\n',
  }),
  mutation([74], 'An extension takes a schema with the tables of others.', {
    file: 'packages/postgres/src/extensions/extension-migrations.ts',
    find: 'if (found.hasTables && !found.isMarked)',
    replace: 'if (found.hasTables && found.isMarked && !found.hasTables)',
  }),
  mutation([74], 'Any schema is dropped as one of an extension.', {
    file: 'packages/postgres/src/extensions/extension-schemas.ts',
    find: 'if (!names.includes(EXTENSION_TABLE)) return undefined;',
  }),
  mutation([74], 'An event is written before the change, even if the change then fails.', {
    file: EXTENSION_DATABASE,
    find: 'insertAuditEvents(tx, [event])',
    replace: 'insertAuditEvents(database.queries, [event])',
  }),
  mutation([74], 'A token with any scope may do everything.', {
    file: 'packages/domain/src/access/authorize.ts',
    find: '!scopesAllow(caller.scopes, rule.scope)',
    replace: 'caller.scopes.length === 0',
  }),
];
