import type { LoadedMasterKey } from '@gatehouse/key-encryption';
import type { Lifecycle } from '../http/lifecycle.ts';
import type { Log } from '../logging/line-kind.ts';
import type { Settings } from '../settings/settings.ts';
import type { LoadedExtension } from '../start/load-extension.ts';
import type { Store } from '../start/open-store.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import type { Workers } from '../workers/workers.ts';

/** The values from which the services of a server are created: settings, open connections, and keys. */
export interface Environment extends Store {
  readonly settings: Settings;
  readonly lifecycle: Lifecycle;
  readonly log: Log;
  readonly masterKey: LoadedMasterKey;
  readonly extensions: readonly LoadedExtension[];
  /** The tracing of requests; undefined without a collector of traces. */
  readonly tracing?: Pick<Tracing, 'answered' | 'spans'> | undefined;
  /** The workers; undefined if this process answers the requests itself. */
  readonly workers?: Pick<Workers, 'feedStates' | 'metrics'> | undefined;
}
