import type { DatabaseServer } from '@gatehouse/domain/changes';
import type { CredentialHash, IntrospectedRecords, IntrospectionSource } from '@gatehouse/domain/services';
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
import { selectTokenRecordsById, toTokenRecord } from '../tokens/token-records.ts';
import { LISTS_ACCOUNT, selectIntrospectedService, toIntrospectedService } from './introspected-service.ts';

interface Asked {
  readonly credential: CredentialHash;
  readonly tokens: readonly TokenId[];
}

type RecordRow = Parameters<typeof toTokenRecord>[0];

/** Creates the source of introspections in PostgreSQL. */
export function createPostgresIntrospectionSource({ queries, inTime }: Database): IntrospectionSource {
  const any = reading((asked) => selectRecords(queries, asked));
  const used = reading((asked) => selectUsedRecords(queries, asked));
  let canIdentify = true;

  /** Compiles a statement once, with and without the name of the server. */
  function reading(select: (asked: Asked) => ReturnType<typeof selectRecords>) {
    return {
      records: compileOnce(queries, select),
      recordsAndServer: compileOnce(queries, (asked: Asked) => withServer(select(asked))),
    };
  }

  /** Reads the records and the server. If the role may not identify the server, reads the records only, from then on. */
  async function read({ records, recordsAndServer }: typeof any, asked: Asked) {
    if (!canIdentify) return await queries.executeQuery(records(asked));
    try {
      return await queries.executeQuery(recordsAndServer(asked));
    } catch (error) {
      if (!cannotSay(error)) throw error;
      const found = await queries.executeQuery(records(asked));
      canIdentify = false;
      return found;
    }
  }

  // Not shared with other requests: each reads after it has arrived, and waits in the queue of its service.
  async function find(statement: typeof any, asked: Asked): Promise<IntrospectedRecords> {
    const { rows } = await inTime(read(statement, asked));
    // If a left join finds no row, all its columns are null.
    const tokens = rows.filter(({ id }) => id !== null);
    return Object.freeze({
      service: toIntrospectedService(rows),
      tokens: Object.freeze(tokens.map((row) => toTokenRecord(row as RecordRow))),
      database: serverIn(rows[0]),
    });
  }

  return {
    find: (credential, token) => find(any, { credential, tokens: [token] }),
    findUsed: (credential, tokens) => find(used, { credential, tokens }),
  };
}

/** Selects a row for each token with the columns of the service, or one row if there are no tokens. */
function selectRecords(
  db: Queries,
  { credential, tokens }: Asked,
  record = selectTokenRecordsById(db, { ids: tokens }),
) {
  return db
    .selectFrom(sql<object>`(select)`.as<'asked'>(sql`asked`))
    .leftJoinLateral(selectIntrospectedService(db, credential).as('service'), (join) => join.onTrue())
    .leftJoinLateral(record.as('record'), (join) => join.onTrue())
    .selectAll('service')
    .selectAll('record')
    .select(LISTS_ACCOUNT.as('service_lists_account'));
}

/** As `selectRecords`, but leaves out tokens whose use at the service is not stored. */
function selectUsedRecords(db: Queries, asked: Asked) {
  // Uses the index token_service_uses_pkey.
  const isUsed = sql<boolean>`exists (
    select from token_service_uses as used
    where used.token_id = record.id and used.service = service.service_name)`;
  return selectRecords(db, asked, selectTokenRecordsById(db, { ids: asked.tokens }).where(isUsed));
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
