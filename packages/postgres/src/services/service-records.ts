import type { AccountId } from '@gatehouse/domain/accounts';
import type { Service, ServiceCredential, ServiceScope } from '@gatehouse/domain/services';
import { type InferResult, sql } from 'kysely';
import type { Queries } from '../database/schema.ts';

/**
 * Selects services with all rows that belong to them. One statement reads all rows, so they belong to the same time. The
 * names of the columns differ from those of token records, so that one statement can select both.
 */
export function selectServices(db: Queries) {
  // Uses the indexes service_scopes_service_position_key, service_accounts_pkey and service_credentials_service.
  return db
    .selectFrom('services')
    .select([
      'services.name as service_name',
      'services.description as service_description',
      'services.open_to_all as service_open_to_all',
      'services.created_at as service_created_at',
      'services.deleted_at as service_deleted_at',
    ])
    .select([scopes.as('service_scopes'), accounts.as('service_accounts')])
    .select(credentials.as('service_credentials'));
}

/** In JSON, a time is a number of milliseconds since 1970, as in the domain. */
export const milliseconds = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;

const scopes = sql<readonly ServiceScope[]>`(
  select coalesce(json_agg(json_build_object(
    'name', name, 'label', label, 'allows', allows, 'removedAt', ${milliseconds('removed_at')}
  ) order by position), '[]')
  from service_scopes where service = services.name)`;

const accounts = sql<readonly AccountId[]>`(
  select coalesce(json_agg(account_id order by account_id), '[]')
  from service_accounts where service = services.name)`;

/** A row of `service_credentials` as a credential. */
export const credentialAsJson = sql<ServiceCredential>`json_build_object(
  'id', id, 'hash', encode(secret_hash, 'hex'), 'createdAt', ${milliseconds('service_credentials.created_at')},
  'expiresAt', ${milliseconds('expires_at')}, 'revokedAt', ${milliseconds('revoked_at')}, 'replacedBy', replaced_by)`;

const credentials = sql<readonly ServiceCredential[]>`(
  select coalesce(json_agg(${credentialAsJson} order by created_at, id), '[]')
  from service_credentials where service = services.name)`;

export function toService(row: InferResult<ReturnType<typeof selectServices>>[number]): Service {
  return Object.freeze({
    name: row.service_name,
    description: row.service_description,
    openTo: row.service_open_to_all ? 'all' : Object.freeze(row.service_accounts),
    scopes: frozen(row.service_scopes),
    credentials: frozen(row.service_credentials),
    createdAt: row.service_created_at,
    deletedAt: row.service_deleted_at,
  });
}

const frozen = <Row>(rows: readonly Row[]): readonly Row[] =>
  Object.freeze(rows.map((row) => Object.freeze(row)));
