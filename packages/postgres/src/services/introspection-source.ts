import type { DatabaseServer } from '@gatehouse/domain/changes';
import type { CredentialHash, IntrospectionSource, ServiceName } from '@gatehouse/domain/services';
import type { TokenId } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { DatabaseFault, DatabaseSetupFault } from '../database/faults.ts';
import {
  CANNOT_SAY,
  nameOf,
  PRIMARY_SERVER,
  type PrimaryServerRow,
  primaryServerOf,
} from '../database/primary/primary-server.ts';
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
  const recordsAndServerFor = compileOnce(queries, (asked: Asked) =>
    withServer(selectRecords(queries, asked)),
  );
  let canIdentify = true;

  /** Reads the records and the server. If the role may not identify the server, reads the records only, from then on. */
  async function read(asked: Asked) {
    if (!canIdentify) return await queries.executeQuery(recordsFor(asked));
    try {
      return await queries.executeQuery(recordsAndServerFor(asked));
    } catch (error) {
      if (!cannotSay(error)) throw error;
      const records = await queries.executeQuery(recordsFor(asked));
      canIdentify = false;
      return records;
    }
  }

  return {
    // Not shared with other requests: each reads after it has arrived, and waits in the queue of its service.
    async find(credential, token) {
      const { rows } = await inTime(read({ credential, token }));
      const [row] = rows;
      // If a left join finds no row, all its columns are null.
      return Object.freeze({
        service: row && row.service_name !== null ? toService(row as ServiceRow) : undefined,
        token: row && row.id !== null ? toTokenRecord(row as RecordRow) : undefined,
        database: serverIn(row),
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

/** Adds the server that answers (ADR 53) to the row. */
function withServer(records: ReturnType<typeof selectRecords>) {
  const server = sql<PrimaryServerRow>`(select to_json(server) from (${sql.raw(PRIMARY_SERVER)}) as server)`;
  return records.select(server.as('answered_by'));
}

function serverIn(row: object | undefined): DatabaseServer | undefined {
  if (row === undefined || !('answered_by' in row)) return undefined;
  const server = primaryServerOf({ rows: [row.answered_by as PrimaryServerRow] });
  return server && nameOf(server);
}

const cannotSay = (error: unknown) =>
  (error instanceof DatabaseFault || error instanceof DatabaseSetupFault) && CANNOT_SAY.has(error.code);
