import type { DatabaseAddress } from '@gatehouse/installation/open-database';
import type { LoadedMasterKey } from '@gatehouse/key-encryption';
import type { Database } from '@gatehouse/postgres';
import type { Lifecycle } from '../http/lifecycle.ts';
import type { Log } from '../logging/line-kind.ts';
import type { Settings } from '../settings/settings.ts';
import type { LoadedExtension } from '../start/load-extension.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import type { Workers } from '../workers/workers.ts';

/** The parts that a server is composed from. */
export interface Environment {
  readonly settings: Settings;
  readonly database: Database;
  /** The database for `/ready` only, so that requests cannot use up its connection. */
  readonly readinessDatabase: Database;
  readonly address: Pick<DatabaseAddress, 'url'>;
  readonly isEmbedded: boolean;
  /** The address of the database itself, not of a connection pooler. */
  readonly listenAddress: Pick<DatabaseAddress, 'url'>;
  readonly lifecycle: Lifecycle;
  readonly log: Log;
  readonly masterKey: LoadedMasterKey;
  readonly extensions: readonly LoadedExtension[];
  /** The tracing of requests; undefined without a collector. */
  readonly tracing?: Pick<Tracing, 'answered' | 'spans'> | undefined;
  /** The workers, if they answer the requests. */
  readonly workers?: Pick<Workers, 'feedStates' | 'metrics'> | undefined;
}
