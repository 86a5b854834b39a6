import type { Ports } from '../ports.ts';
import { defineCheck, type Outcome, outcomeOf } from './check.ts';

export type DatabaseFinding =
  | { readonly code: 'database_unreachable'; readonly reason: string }
  /** Other users can write to the data folder, so the database is not opened. */
  | { readonly code: 'data_folder_exposed'; readonly reason: string };

export const databaseCheck = defineCheck({
  id: 'database',
  passed: 'The database answers.',
  name: 'the database',
  needsSchema: false,
  async run({ storeProbe }: Ports<'storeProbe'>): Promise<Outcome<DatabaseFinding>> {
    await storeProbe.now();
    return { status: 'passed' };
  },
  findings: {
    database_unreachable: ({ reason }) => ({
      message: sentence(reason),
      remedy:
        'Check that the database runs, and that DATABASE_URL or GATEHOUSE_DATA_DIR leads to this database.',
    }),
    data_folder_exposed: ({ reason }) => ({
      message: sentence(reason),
      remedy:
        'Correct this. Until then, no server starts and no command works on this machine, because other users could replace stored data.',
    }),
  },
});

export const schemaCheck = defineCheck({
  id: 'schema',
  passed: 'The database has the schema that this program needs.',
  name: 'the schema',
  needsSchema: false,
  async run({ storeProbe }: Ports<'storeProbe'>) {
    const state = await storeProbe.schemaState();
    return outcomeOf(state === 'current' ? [] : [{ code: `schema_${state}` as const }]);
  },
  findings: {
    schema_behind: () => ({
      message: "The database's schema is older than this program needs.",
      remedy: 'Run `gatehouse migrate`.',
    }),
    schema_ahead: () => ({
      message: "The database's schema is newer than this program.",
      remedy: 'Run the newer version of Gatehouse that was installed before this version.',
    }),
  },
});

export const changeFeedCheck = defineCheck({
  id: 'change_feed',
  passed: 'This machine receives notifications of changes in the database.',
  name: 'the change feed',
  needsSchema: false,
  async run({ changeFeedProbe }: Ports<'changeFeedProbe'>) {
    const verdict = await changeFeedProbe.try();
    return outcomeOf(verdict.trusted ? [] : [{ code: 'change_feed_untrusted', reason: verdict.reason }]);
  },
  findings: {
    change_feed_untrusted: ({ reason }) => ({
      message: `This machine does not receive notifications of changes in the database: ${reason}.`,
      remedy:
        'Correct the cause, or set DATABASE_LISTEN_URL to an address that leads directly to the primary database server. Until then, servers with this setting are degraded: they read the database for each request.',
    }),
  },
});

export const databaseAccessCheck = defineCheck({
  id: 'database_access',
  passed:
    'No other role may connect to the database through the rights of PUBLIC or create objects in it, and the schema has no unexpected objects.',
  name: 'who may connect to the database',
  needsSchema: false,
  async run({ storeProbe }: Ports<'storeProbe'>) {
    const access = await storeProbe.publicAccess();
    const creation = await storeProbe.objectCreation();
    const unexpected = await storeProbe.unexpectedObjects();
    return outcomeOf([
      ...(access ? [{ code: 'database_open_to_public' as const, ...access }] : []),
      ...(creation ? [{ code: 'objects_by_other_roles' as const, ...creation }] : []),
      ...(unexpected ? [{ code: 'unexpected_objects' as const, ...unexpected }] : []),
    ]);
  },
  findings: {
    database_open_to_public: ({ database, ownRole, otherRoles }) => ({
      message: `${someOf(otherRoles)} may connect to the database ${database}, because every role (PUBLIC) may. Even without other rights, a role that can connect can slow servers down, hold the locks of commands, and fill the queue of notifications.`,
      remedy: `As the owner of the database, run \`grant connect on database ${database} to ${ownRole}; revoke connect, temporary on database ${database} from public;\`. Then grant connect to the other roles that need it.`,
    }),
    objects_by_other_roles: ({ database, schema, ownRole, otherRoles, foreignOwner }) => ({
      message: `${someOf(otherRoles)} may create objects in the database ${database} or its schema ${schema}. Such roles can create functions that statements of this program then run with the rights of this program.`,
      remedy: `As ${foreignOwner ? `a superuser, run \`alter schema ${schema} owner to ${ownRole}; ` : `the owner of the database, run \``}grant create on schema ${schema} to ${ownRole}; revoke create on schema ${schema} from public, ${otherRoles.join(', ')}; revoke create on database ${database} from public, ${otherRoles.join(', ')};\`. If a role has the right through a group, also revoke it from the group.`,
    }),
    unexpected_objects: ({ schema, objects }) => ({
      message: `The schema ${schema} has objects that are not part of this program: ${firstOf(objects, '; ')}. Statements of this program may run such functions and operators with the rights of this program.`,
      remedy: `As the owner of the schema, drop each object that you did not create, such as \`drop ${objects[0]};\`, and move your own objects to another schema.`,
    }),
  },
});

function someOf(roles: readonly [string, ...string[]]): string {
  return roles.length === 1 ? `The role ${roles[0]}` : `The roles ${firstOf(roles, ', ')}`;
}

/** Lists the first five names and counts the other names. */
function firstOf(names: readonly string[], separator: string): string {
  const more = names.length - MAX_SHOWN;
  return `${names.slice(0, MAX_SHOWN).join(separator)}${more > 0 ? ` and ${more} more` : ''}`;
}

const MAX_SHOWN = 5;

/** Capitalizes a reason and ends it with a full stop. */
function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? '' : '.'}`;
}
