import { type Mutation, mutation } from '../mutation.ts';

const POOL_SHARE = 'packages/postgres/src/database/pool/pool-share.ts';
const EXTENSION_DATABASE = 'packages/postgres/src/extensions/extension-database.ts';
const GUARDS = 'packages/installation/src/guards.ts';
const EXTENSION_REACTIONS = 'apps/server/src/reactions/extension-reactions.ts';
const RESOURCE = 'packages/domain/src/resources/resource.ts';

/** The protection of Gatehouse from its extensions, and of extensions from each other: requirements 73, 74 and 235 to 237. */
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
  mutation([235], 'A guard that forbids is not obeyed.', {
    file: GUARDS,
    find: 'if (refusal !== undefined) {',
    replace: 'if (refusal === null) {',
  }),
  mutation([235], 'A guard that fails allows.', {
    file: GUARDS,
    find: "          return err({ code: 'extension_undecided', extension: extension.name });\n",
  }),
  mutation([235], 'A guard may take any time.', {
    file: GUARDS,
    find: 'Promise.race([check(request, facts), late])',
    replace: 'Promise.race([check(request, facts)])',
  }),
  mutation([235], 'A guard may forbid by any text.', {
    file: GUARDS,
    find: 'if (known === undefined)',
    replace: 'if (known === null)',
  }),
  mutation([235], 'A token is made although a guard forbids it.', {
    file: 'packages/domain/src/tokens/issuing/issue-token.ts',
    find: 'if (!guarded.ok) return guarded;',
  }),
  mutation([235], 'An invitation is made although a guard forbids it.', {
    file: 'packages/domain/src/links/manage-invitations.ts',
    find: 'if (!guarded.ok) return guarded;',
  }),
  mutation([235], 'A guard may have refusals that its extension does not describe.', {
    file: 'packages/extension-kit/src/guard.ts',
    find: 'if (foreign)',
    replace: 'if (foreign === null)',
  }),
  mutation([235], 'An organization is made although a guard forbids it.', {
    file: 'packages/domain/src/organizations/manage-organizations.ts',
    find: 'if (!guarded.ok) return guarded;\n      return organizations.insert(',
    replace: 'return organizations.insert(',
  }),
  mutation([235], 'A guard is asked before the checks of Gatehouse.', {
    file: 'packages/domain/src/tokens/issuing/issue-token.ts',
    find: 'const { catalog, services } = ports;',
    replace:
      "const { catalog, services } = ports;\n      await ports.guards.check('token.create', {} as never, {} as never);",
  }),
  mutation([236], 'A guard is asked before a revocation.', {
    file: 'packages/domain/src/tokens/administration/revoke-token.ts',
    find: "({ tokens, clock }: Ports<'tokens' | 'clock'>) =>\n    async (caller: Principal, { id, reason }: { readonly id: TokenId; readonly reason: string | null }) => {",
    replace:
      "({ tokens, clock, guards }: Ports<'tokens' | 'clock' | 'guards'>) =>\n    async (caller: Principal, { id, reason }: { readonly id: TokenId; readonly reason: string | null }) => {\n      await guards.check('token.create', {} as never, {} as never);",
  }),
  mutation([237], 'A reaction acts with the name of its extension only.', {
    file: EXTENSION_REACTIONS,
    find: "kind: 'operator', name, origin",
    replace: "kind: 'operator', name: extension.name, origin",
  }),
  mutation([236], 'A rotation asks no guard.', {
    file: 'packages/domain/src/tokens/rotation/rotate-token.ts',
    find: 'if (!guarded.ok) return guarded;',
  }),
  mutation([237], 'A reaction gets what it causes.', {
    file: EXTENSION_REACTIONS,
    find: '!isBy(event, name)',
    replace: 'event !== undefined',
  }),
  mutation([237], 'A reaction may wait for an action that does not exist.', {
    file: EXTENSION_REACTIONS,
    find: 'if (unknown !== undefined)',
    replace: 'if (unknown === null)',
  }),
];
