import { UnavailableFault } from '@gatehouse/domain';
import type { SchemaState } from '@gatehouse/domain/health';
import type { ExtensionDatabase, ExtensionQueries } from '@gatehouse/extension-kit/postgres';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { stateOf } from '../database/migrator/schema-state.ts';
import { onBehalfOfNone } from '../database/pool/askers.ts';
import type { Gate } from '../database/pool/pool-share.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { type ExtensionMigrations, sequenceOf } from './extension-migrations.ts';

/**
 * The largest number of connections of one extension, so that a slow extension leaves most connections to other work.
 */
const MAX_CONNECTIONS = 3;

/**
 * Creates the database that an extension uses, on a share of the pool. `remember` caches reads. Default: no cache, as
 * in commands of the command line.
 */
export function createExtensionDatabase(
  database: Database,
  extension: ExtensionMigrations,
  remember: ExtensionDatabase<unknown>['remember'] = (_, read) => read,
): ExtensionDatabase<unknown> {
  const sequence = sequenceOf(extension);
  const gate = createSchemaGate(extension.name, () => stateOf(database, sequence));
  const share = database.openShare(MAX_CONNECTIONS, gate);
  return {
    queries: asExtensions(share),
    onPrimary,
    inTime: database.inTime,
    remember,
    change: (work) =>
      share
        .transaction()
        .execute((tx: Queries) => work(asExtensions(tx), (event) => insertAuditEvents(tx, [event]))),
  };
}

/** Returns the same queries, typed with the tables that an extension knows. */
function asExtensions(queries: Queries): ExtensionQueries<unknown> {
  // The tables of an extension are known only as a type: when the program runs, kysely builds statements for any table.
  return queries as unknown as ExtensionQueries<unknown>;
}

/**
 * Creates a check that is made before each statement of an extension: all migrations of the extension must be applied.
 * A positive result is remembered, because migrations are never undone. If a statement then finds no table or no
 * schema, the check is made again.
 */
function createSchemaGate(name: string, state: () => Promise<SchemaState>): Gate {
  let isOpen = false;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    if ((await state()) === 'behind') {
      throw new UnavailableFault(
        `the schema of the extension ${name} is behind this program: run \`gatehouse migrate\``,
      );
    }
    isOpen = true;
  }

  return {
    async open() {
      if (isOpen) return;
      asking ??= onBehalfOfNone(ask).finally(() => {
        asking = undefined;
      });
      await asking;
    },
    missed() {
      isOpen = false;
    },
  };
}
