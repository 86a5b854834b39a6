import type { AccountId } from '@gatehouse/domain/accounts';
import type { CredentialHash, IntrospectedService, ServiceName } from '@gatehouse/domain/services';
import type { Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { credentialAsJson, milliseconds } from './service-records.ts';

/**
 * Selects the parts of a service that decide on tokens, by the hash of one of its credentials. Words of scopes and other
 * credentials are not read, because a service may have thousands of credentials that have ended.
 */
export function selectIntrospectedService(db: Queries, credential: CredentialHash) {
  // Uses the indexes service_credentials_secret_hash_key, services_pkey and service_scopes_service_position_key.
  return db
    .selectFrom('service_credentials')
    .innerJoin('services', 'services.name', 'service_credentials.service')
    .where('secret_hash', '=', sql<Uint8Array>`decode(${credential}, 'hex')`)
    .select([
      'services.name as service_name',
      'services.open_to_all as service_open_to_all',
      'services.deleted_at as service_deleted_at',
    ])
    .select([scopes.as('service_scopes'), credentialAsJson.as('service_credential')]);
}

const scopes = sql<IntrospectedService['scopes']>`(
  select coalesce(json_agg(json_build_object(
    'name', name, 'removedAt', ${milliseconds('removed_at')}
  ) order by position), '[]')
  from service_scopes where service = services.name)`;

/** Whether the service of a row lists the account of the token of the row. Uses the index service_accounts_pkey. */
export const LISTS_ACCOUNT = sql<boolean>`exists (
  select from service_accounts
  where service_accounts.service = service.service_name and service_accounts.account_id = record.account_id)`;

/** A row of a token and the service. Every column is null if a left join finds no row. */
interface Row {
  readonly service_name: ServiceName | null;
  readonly service_open_to_all: boolean | null;
  readonly service_deleted_at: Instant | null;
  readonly service_scopes: IntrospectedService['scopes'] | null;
  readonly service_credential: IntrospectedService['credentials'][0] | null;
  readonly service_lists_account: boolean;
  readonly account_id: AccountId | null;
}

/** Returns the service that all rows have, which is open to the listed accounts among those of the tokens. */
export function toIntrospectedService(rows: readonly Row[]): IntrospectedService | undefined {
  const [row] = rows;
  if (!row?.service_name || !row.service_credential) return undefined;
  const listed = rows.flatMap(({ service_lists_account: isListed, account_id: id }) =>
    isListed && id !== null ? [id] : [],
  );
  return Object.freeze({
    name: row.service_name,
    deletedAt: row.service_deleted_at,
    openTo: row.service_open_to_all ? 'all' : Object.freeze([...new Set(listed)]),
    scopes: Object.freeze((row.service_scopes ?? []).map((scope) => Object.freeze(scope))),
    credentials: Object.freeze([Object.freeze(row.service_credential)] as const),
  });
}
