import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** It is there as long as the embedded PostgreSQL runs. */
export const postmasterFile = (dataDir: string) => join(dataDir, 'postgres', 'data', 'postmaster.pid');

export const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
