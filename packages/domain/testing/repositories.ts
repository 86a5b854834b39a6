import type { Repositories } from '../src/index.ts';
import type { UsageFeed, UsageRecorder, UsageRecorderHealth } from '../src/tokens/index.ts';

/** Repositories with the usage recorder of the same store. */
export interface RecordedRepositories extends Repositories {
  readonly usage: UsageRecorder;
}

/** Repositories with the usage recorder, its feed and its health. */
export interface WatchedRepositories extends RecordedRepositories {
  readonly usageFeed: UsageFeed;
  readonly usageRecorders: UsageRecorderHealth;
}

/** Opens a store for the exclusive use of a contract suite. */
export type OpenRepositories<Store = Repositories> = () => Promise<Store & { close(): Promise<void> }>;
