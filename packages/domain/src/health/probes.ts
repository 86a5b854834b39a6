import type { ChangeFeedState } from '../changes/change-feed.ts';
import type { Result } from '../result.ts';
import type { KeyEncryption, MasterKeyUnusable } from '../signing-keys/key-encryption.ts';
import type { Instant } from '../time/instant.ts';

/** `behind`: migrations are pending, as in an empty store. `ahead`: a newer version has migrated the store. */
export type SchemaState = 'current' | 'behind' | 'ahead';

/** Roles that can connect to the store without a grant of their own. Names are quoted for use in SQL. */
export interface PublicAccess {
  readonly database: string;
  /** The role of this program's connections. */
  readonly ownRole: string;
  /** Roles that can connect only because PUBLIC can, sorted; without superusers and the store's owners. */
  readonly otherRoles: readonly [string, ...string[]];
}

/** Roles that can create objects in the store, such as functions that its statements would call. Names are quoted. */
export interface ObjectCreation {
  readonly database: string;
  /** The schema of the tables and functions of this program. */
  readonly schema: string;
  /** The role of this program's connections. */
  readonly ownRole: string;
  /** Other roles, sorted; without superusers and the store's owners. */
  readonly otherRoles: readonly [string, ...string[]];
  /** The role that owns the schema, if it is neither ours, nor an owner of the store, nor a superuser. */
  readonly foreignOwner?: string;
}

/** Objects in the schema of this program that its migrations do not create. Names are as SQL writes them. */
export interface UnexpectedObjects {
  readonly schema: string;
  /**
   * The first 1,000 objects of other roles, except superusers, and functions, operators and types of our role or an owner.
   */
  readonly objects: readonly [string, ...string[]];
}

/**
 * A property of the database that keeps this program from working correctly, whatever rows it has. Names are quoted for use in
 * SQL. `mends` has the SQL statements that undo a setting. It is empty if the setting is not set for a role or a database.
 */
export type UnfitProperty =
  /** The database cannot store every character of Unicode. */
  | {
      readonly code: 'database_encoding';
      readonly encoding: string;
      readonly database: string;
      readonly ownRole: string;
    }
  | { readonly code: 'database_too_old'; readonly version: string; readonly needed: number }
  /** Sessions of this program do not run triggers, so servers are not notified of changes. */
  | { readonly code: 'database_triggers_off'; readonly ownRole: string; readonly mends: readonly string[] }
  | { readonly code: 'database_read_only'; readonly mends: readonly string[] }
  /** New sessions find no schema, so tables can be neither found nor created. */
  | { readonly code: 'database_search_path'; readonly ownRole: string; readonly mends: readonly string[] }
  /** The rules for sorting text have changed since the indexes were built. */
  | {
      readonly code: 'database_collation_changed';
      readonly database: string;
      readonly made: string;
      readonly now: string;
    };

/** Inspects the store itself, not its contents. Implementations pass `storeProbeContract`. */
export interface StoreProbe {
  /** Reads the store's own clock, at some time during the call. */
  now(): Promise<Instant>;
  schemaState(): Promise<SchemaState>;
  /** Returns the unsuitable properties of the database; empty if there are none. */
  unfitProperties(): Promise<readonly UnfitProperty[]>;
  /** Returns the access that every role has; undefined if only roles with their own grant can connect. */
  publicAccess(): Promise<PublicAccess | undefined>;
  /** Returns the other roles that can create objects; undefined if there are none. */
  objectCreation(): Promise<ObjectCreation | undefined>;
  /** Returns objects that do not belong to Gatehouse; undefined if there are none. */
  unexpectedObjects(): Promise<UnexpectedObjects | undefined>;
}

/** Opens a change feed like a server's, and tests it. Implementations pass `changeFeedProbeContract`. */
export interface ChangeFeedProbe {
  /** Resolves when the feed is trusted, or after the time in which a working feed becomes trusted. */
  try(): Promise<ChangeFeedState>;
}

/** A route of an extension, such as `GET /api/v1/orgs/{organization}/shift-notes`. */
export interface ExtensionRoute {
  readonly extension: string;
  readonly route: string;
}

/** Finds the routes of extensions that are public without saying so. */
export type FindOpenRoutes = () => Promise<readonly ExtensionRoute[]>;

/** Finds the configured master key without creating one. Undefined if none is configured. */
export type FindMasterKey = () => Promise<Result<KeyEncryption, MasterKeyUnusable> | undefined>;
