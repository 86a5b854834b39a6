import type { Stage } from '../stage.ts';
import { type Directory, openDirectory } from './directory.ts';

/** The directories that several parts of one run use; filling a large one takes minutes. */
export interface SharedDirectories extends AsyncDisposable {
  /** Fills it when it is first needed. */
  holding(organizations: number): Promise<Directory>;
}

export function shareDirectories(stage: Stage): SharedDirectories {
  const filled = new Map<number, Directory>();
  const resources = new AsyncDisposableStack();
  return {
    async holding(organizations) {
      const known = filled.get(organizations);
      if (known) return known;
      const directory = resources.use(await openDirectory(stage, `stored_${organizations}`, organizations));
      filled.set(organizations, directory);
      return directory;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
