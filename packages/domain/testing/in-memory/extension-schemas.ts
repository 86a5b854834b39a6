import type { AccountId } from '../../src/accounts/index.ts';
import type { AuditEvent } from '../../src/audit/index.ts';
import type {
  BelongingCount,
  ExtensionSchemas,
  LostBelongings,
  TableRows,
} from '../../src/extensions/index.ts';
import type { SchemaState } from '../../src/health/index.ts';
import { err, ok } from '../../src/index.ts';
import type { OrganizationId } from '../../src/organizations/index.ts';

/** The state of an extension. Without tables, it was never migrated. */
export interface InMemoryExtension {
  readonly state: SchemaState;
  readonly tables?: readonly TableRows[];
  readonly belongings?: ReadonlyMap<OrganizationId, BelongingCount>;
  readonly ofAccounts?: ReadonlyMap<AccountId, BelongingCount>;
  readonly lost?: Omit<LostBelongings, 'extension'>;
}

/** Creates the schemas of these extensions, by their names. `record` adds an event to the audit log. */
export function createInMemoryExtensionSchemas(
  { record }: { record(event: AuditEvent): void },
  extensions: Readonly<Record<string, InMemoryExtension>> = {},
): ExtensionSchemas {
  const installed = new Map(Object.entries(extensions));
  const notFound = err({ code: 'extension_schema_not_found' } as const);
  const known = () => [...installed.values()].filter(({ state }) => state !== 'behind');
  return {
    states: async () => [...installed].map(([name, { state }]) => ({ name, state })),
    countBelongings: async (id) => known().flatMap(({ belongings }) => belongings?.get(id) ?? []),
    countBelongingsOfAccount: async (id, limit) =>
      known()
        .flatMap(({ ofAccounts }) => ofAccounts?.get(id) ?? [])
        .map((counted) => ({ ...counted, count: Math.min(counted.count, limit) })),
    countLost: async () =>
      [...installed].flatMap(([extension, { state, lost }]) =>
        state === 'behind' || !lost ? [] : [{ extension, ...lost }],
      ),
    async findTables(name) {
      const tables = installed.get(name)?.tables;
      return tables ? ok(tables) : notFound;
    },
    async drop(name, audit) {
      const tables = installed.get(name)?.tables;
      if (!tables) return notFound;
      record(audit(tables));
      installed.set(name, { state: 'behind' });
      return ok(tables);
    },
  };
}
