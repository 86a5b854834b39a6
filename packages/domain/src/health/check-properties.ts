import type { Ports } from '../ports.ts';
import { defineCheck, outcomeOf } from './check.ts';

export const databasePropertiesCheck = defineCheck({
  id: 'database_properties',
  passed: 'The version, encoding and settings of the database are those that this program needs.',
  name: 'the properties of the database',
  needsSchema: false,
  async run({ storeProbe }: Ports<'storeProbe'>) {
    return outcomeOf(await storeProbe.unfitProperties());
  },
  findings: {
    database_encoding: ({ encoding, database, ownRole }) => ({
      message: `The database ${database} has the encoding ${encoding}, not UTF8: other encodings lack characters, or do not validate them.`,
      remedy: `As a superuser, create another database with \`createdb --owner=${ownRole} --encoding=UTF8 --locale=C.UTF-8 --template=template0 NAME\`. If this database has data, restore a dump of it into the new database.`,
    }),
    database_too_old: ({ version, needed }) => ({
      message: `The database server is PostgreSQL ${version}: this program needs ${needed} or newer.`,
      remedy: 'Upgrade the database server.',
    }),
    database_triggers_off: ({ ownRole, mends }) => ({
      message: `Database sessions of the role ${ownRole} run no triggers, because of session_replication_role. So servers are not notified of changes, and still accept revoked tokens.`,
      remedy: `${asSuperuser(mends, 'session_replication_role')}.`,
    }),
    database_read_only: ({ mends }) => ({
      message:
        'No data can be changed: default_transaction_read_only is on for the role, the database or the server.',
      remedy: `${asSuperuser(mends, 'default_transaction_read_only')}, when changes are allowed again.`,
    }),
    database_search_path: ({ ownRole, mends }) => ({
      message: `The search_path of the role ${ownRole} leads to no schema that the role may use, so tables can be neither found nor created.`,
      remedy: `${asSuperuser(mends, 'search_path')}.`,
    }),
    database_collation_changed: ({ database, made, now }) => ({
      message: `The indexes of the database ${database} were built with version ${made} of the collation, and are read with version ${now}: servers may not find existing rows, such as a user by email.`,
      remedy: `As the owner of the database, run \`reindex database ${database};\` and then \`alter database ${database} refresh collation version;\`.`,
    }),
  },
});

/**
 * Returns the instruction to undo a setting of the database. If there are no SQL statements that undo the setting, it
 * was set in a file of the database server or by this program's own connection settings.
 */
function asSuperuser(mends: readonly string[], setting: string): string {
  return mends.length > 0
    ? `As a superuser, run \`${mends.join(' ')}\``
    : `Remove ${setting} from postgresql.conf, PGOPTIONS and DATABASE_URL`;
}
