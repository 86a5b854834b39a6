import type { CredentialHash, IntrospectionSource, ServiceName } from '@gatehouse/domain/services';
import type { TokenId } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Queries } from '../database/schema.ts';
import { compileOnce } from '../database/statements/compile-once.ts';
import { selectTokenRecords, toTokenRecord } from '../tokens/token-records.ts';
import { selectServices, toService } from './service-records.ts';

interface Asked {
  readonly credential: CredentialHash;
  readonly token: TokenId;
}

type ServiceRow = Parameters<typeof toService>[0];
type RecordRow = Parameters<typeof toTokenRecord>[0];

/** Creates the source of introspections in PostgreSQL. */
export function createPostgresIntrospectionSource({ queries, inTime }: Database): IntrospectionSource {
  const recordsFor = compileOnce(queries, (asked: Asked) => selectRecords(queries, asked));
  return {
    // Not shared with other requests: each reads after it has arrived, and waits in the queue of its service.
    async find(credential, token) {
      const { rows } = await inTime(queries.executeQuery(recordsFor({ credential, token })));
      const [row] = rows;
      // If a left join finds no row, all its columns are null.
      return Object.freeze({
        service: row && row.service_name !== null ? toService(row as ServiceRow) : undefined,
        token: row && row.id !== null ? toTokenRecord(row as RecordRow) : undefined,
      });
    },
  };
}

/** Selects one row with the columns of the service and of the token record, each null if there is none. */
function selectRecords(db: Queries, { credential, token }: Asked) {
  const holder = db
    .selectFrom('service_credentials')
    .select('service_credentials.service')
    .where('secret_hash', '=', sql<Uint8Array>`decode(${credential}, 'hex')`);
  // Uses the indexes service_credentials_secret_hash_key and services_pkey.
  const service = selectServices(db).where('services.name', '=', holder.$castTo<ServiceName>());
  // Uses the indexes tokens_pkey, users_pkey, accounts_pkey and signing_keys_pkey.
  const record = selectTokenRecords(db).where('tokens.id', '=', token);
  return db
    .selectFrom(sql<object>`(select)`.as<'asked'>(sql`asked`))
    .leftJoinLateral(service.as('service'), (join) => join.onTrue())
    .leftJoinLateral(record.as('record'), (join) => join.onTrue())
    .selectAll('service')
    .selectAll('record');
}
