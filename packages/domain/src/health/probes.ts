import type { ChangeFeedState } from '../changes/change-feed.ts';
import type { Result } from '../result.ts';
import type { KeyEncryption, MasterKeyUnusable } from '../signing-keys/key-encryption.ts';
import type { Instant } from '../time/instant.ts';

/**
 * `behind`: not all migrations have run, for example because the database is empty. `ahead`: a newer version of
 * Gatehouse has migrated the database.
 */
export type SchemaState = 'current' | 'behind' | 'ahead';

/**
 * The database roles that can connect to the database although no right to connect was granted to them. Names are
 * quoted for use in SQL.
 */
export interface PublicAccess {
  readonly database: string;
  /** The role of this program's connections. */
  readonly ownRole: string;
  /**
   * Roles that can connect only because every role (PUBLIC) can, sorted. Superusers and owners of the database are left
   * out.
   */
  readonly otherRoles: readonly [string, ...string[]];
}

/**
 * The database roles that can create objects in the database, such as functions that this program's statements would
 * call. Names are quoted for use in SQL.
 */
export interface ObjectCreation {
  readonly database: string;
  /** The schema of the tables and functions of this program. */
  readonly schema: string;
  /** The role of this program's connections. */
  readonly ownRole: string;
  /** The other roles that can create objects, sorted. Superusers and owners of the database are left out. */
  readonly otherRoles: readonly [string, ...string[]];
  /**
   * The role that owns the schema; absent if that is this program's own role, an owner of the database, or a superuser.
   */
  readonly foreignOwner?: string;
}

/** Objects in the schema of this program that its migrations did not create. Names are written as in SQL. */
export interface UnexpectedObjects {
  readonly schema: string;
  /**
   * At most 1,000 objects. They belong to other roles that are not superusers, or are functions, operators or types of
   * this program's role or of an owner of the database.
   */
  readonly objects: readonly [string, ...string[]];
}

/**
 * A property of the database that keeps this program from working correctly. Names are quoted for use in SQL. `mends`
 * lists the SQL statements that undo a setting. It is empty if the setting is set neither for a role nor for a
 * database.
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
  /** Database sessions of this program do not run triggers, so servers are not notified of changes. */
  | { readonly code: 'database_triggers_off'; readonly ownRole: string; readonly mends: readonly string[] }
  | { readonly code: 'database_read_only'; readonly mends: readonly string[] }
  /** The search path of new database sessions leads to no schema, so tables can be neither found nor created. */
  | { readonly code: 'database_search_path'; readonly ownRole: string; readonly mends: readonly string[] }
  /** The rules for sorting text have changed since the indexes were built. */
  | {
      readonly code: 'database_collation_changed';
      readonly database: string;
      readonly made: string;
      readonly now: string;
    };

/** Inspects the properties of the database, not the rows in it. Implementations pass `storeProbeContract`. */
export interface StoreProbe {
  /** Reads the database's clock, at some moment during the call. */
  now(): Promise<Instant>;
  schemaState(): Promise<SchemaState>;
  /** Returns the unsuitable properties of the database; empty if there are none. */
  unfitProperties(): Promise<readonly UnfitProperty[]>;
  /** Returns the roles that can connect only because every role can; undefined if there are none. */
  publicAccess(): Promise<PublicAccess | undefined>;
  /** Returns the other roles that can create objects; undefined if there are none. */
  objectCreation(): Promise<ObjectCreation | undefined>;
  /** Returns the objects in Gatehouse's schema that its migrations did not create; undefined if there are none. */
  unexpectedObjects(): Promise<UnexpectedObjects | undefined>;
}

/** Opens a change feed, as a server does, to test whether it works. Implementations pass `changeFeedProbeContract`. */
export interface ChangeFeedProbe {
  /**
   * Resolves with the state of the change feed as soon as the feed is trusted. If the feed is not trusted after a time
   * in which a working feed would be, resolves with the state that it then has.
   */
  try(): Promise<ChangeFeedState>;
}

/** A route of an extension, such as `GET /api/v1/orgs/{organization}/shift-notes`. */
export interface ExtensionRoute {
  readonly extension: string;
  readonly route: string;
}

/** Finds the routes of extensions that are public although they do not declare it. */
export type FindOpenRoutes = () => Promise<readonly ExtensionRoute[]>;

/** Finds the configured master key, and never creates one. Returns undefined if no master key is configured. */
export type FindMasterKey = () => Promise<Result<KeyEncryption, MasterKeyUnusable> | undefined>;
