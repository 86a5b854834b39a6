import type { DatabaseServer } from '../changes/change-feed.ts';
import type { TokenId, TokenRecord } from '../tokens/token.ts';
import type { Service } from './service.ts';
import type { CredentialHash } from './service-credential.ts';

/** The records that decide on the introspection of a token, from one consistent read. */
export interface IntrospectedRecords {
  /** The service that has a credential with this hash, also if the credential has ended; undefined if there is none. */
  readonly service: Service | undefined;
  readonly token: TokenRecord | undefined;
  /**
   * The database server that was read, by the name that it has in the change feed. Undefined if it cannot be found out.
   */
  readonly database: DatabaseServer | undefined;
}

/**
 * Reads the records for an introspection on the primary database, in one statement that begins after the call. No cache
 * answers this read, because the service that asks may remember the answer.
 * Implementations pass `introspectionSourceContract`.
 */
export interface IntrospectionSource {
  find(credential: CredentialHash, token: TokenId): Promise<IntrospectedRecords>;
}
