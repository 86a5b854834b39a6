import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** The file exists while the embedded PostgreSQL runs. */
export const postmasterFile = (dataDir: string) => join(dataDir, 'postgres', 'data', 'postmaster.pid');

export const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
