import type { Repositories } from '../src/index.ts';
import type { UsageFeed, UsageRecorder, UsageRecorderHealth } from '../src/tokens/index.ts';

/** With the recorder of the same store's tokens. */
export interface RecordedRepositories extends Repositories {
  readonly usage: UsageRecorder;
}

/** With what tells of that recorder. */
export interface WatchedRepositories extends RecordedRepositories {
  readonly usageFeed: UsageFeed;
  readonly usageRecorders: UsageRecorderHealth;
}

/** How a contract suite gets at an implementation: a store that is its own while the suite runs. */
export type OpenRepositories = () => Promise<Repositories & { close(): Promise<void> }>;
