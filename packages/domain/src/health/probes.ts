import type { ChangeFeedState } from '../changes/change-feed.ts';
import type { Result } from '../result.ts';
import type { KeyEncryption, MasterKeyUnusable } from '../signing-keys/key-encryption.ts';
import type { Instant } from '../time/instant.ts';

/** `behind`: there are migrations to run (an empty store is behind); `ahead`: a newer program was here. */
export type SchemaState = 'current' | 'behind' | 'ahead';

/** Roles that may connect to the store without a grant to them by name. Names are quoted as statements need them. */
export interface PublicAccess {
  readonly database: string;
  /** The role that this program connects as. */
  readonly ownRole: string;
  /** Roles that may connect only because everyone may, but for administrators and the store's owners; in order. */
  readonly otherRoles: readonly [string, ...string[]];
}

/** Roles that may create objects in the store, and so functions which its statements would find. Names are quoted. */
export interface ObjectCreation {
  readonly database: string;
  /** The schema that statements find their tables and functions in. */
  readonly schema: string;
  /** The role that this program connects as. */
  readonly ownRole: string;
  /** Roles other than this program's, administrators and the owners; in order. */
  readonly otherRoles: readonly [string, ...string[]];
}

/** Looks at the store itself, whatever is in it. Implementations pass `storeProbeContract`. */
export interface StoreProbe {
  /** The time by the store's own clock, at some moment between the call and its answer. */
  now(): Promise<Instant>;
  schemaState(): Promise<SchemaState>;
  /** Undefined where everyone who may connect was let in by name. */
  publicAccess(): Promise<PublicAccess | undefined>;
  /** Undefined where no other role may create objects. */
  objectCreation(): Promise<ObjectCreation | undefined>;
}

/** Tries a change feed of its own, as a server has it. Implementations pass `changeFeedProbeContract`. */
export interface ChangeFeedProbe {
  /** Answers when the feed is trusted, or was not within a time that would be long enough for a sound one. */
  try(): Promise<ChangeFeedState>;
}

/** Undefined where none is configured: whoever does not sign needs none. It never makes one. */
export type FindMasterKey = () => Promise<Result<KeyEncryption, MasterKeyUnusable> | undefined>;
