import type { DatabaseServer } from '../changes/change-feed.ts';
import type { TokenId, TokenRecord } from '../tokens/token.ts';
import type { Service, ServiceScope } from './service.ts';
import type { CredentialHash, ServiceCredential } from './service-credential.ts';

/** The parts of a service that decide on tokens. */
export interface IntrospectedService extends Pick<Service, 'name' | 'deletedAt' | 'openTo'> {
  /** `all`, or those accounts of the tokens that were read to which the service is open. */
  readonly openTo: Service['openTo'];
  /** All scopes, also the removed ones. */
  readonly scopes: readonly Pick<ServiceScope, 'name' | 'removedAt'>[];
  /** Only the credential that was asked with, also if it has ended. */
  readonly credentials: readonly [ServiceCredential];
}

/** The records that decide on the introspection of tokens, from one consistent read. */
export interface IntrospectedRecords {
  /** The service that has a credential with this hash; undefined if there is none. */
  readonly service: IntrospectedService | undefined;
  /** The tokens that exist, in any order. */
  readonly tokens: readonly TokenRecord[];
  /**
   * The database server that was read, by the name that it has in the change feed. Undefined if it cannot be found out.
   */
  readonly database: DatabaseServer | undefined;
}

/**
 * Reads the records for introspections on the primary database, in one statement that begins after the call. No cache
 * answers this read, because the service that asks may remember the answer.
 * Implementations pass `introspectionSourceContract`.
 */
export interface IntrospectionSource {
  find(credential: CredentialHash, token: TokenId): Promise<IntrospectedRecords>;
  /** Finds only tokens whose use at the service is stored. */
  findUsed(credential: CredentialHash, tokens: readonly TokenId[]): Promise<IntrospectedRecords>;
}
