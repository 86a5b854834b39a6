import { createRequire } from 'node:module';
import { NoBinariesError } from './embedded-postgres-error.ts';

/** Absolute paths of PostgreSQL's programs. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Finds the programs for this machine. Each platform has an npm package; only this machine's is installed. */
export async function locateBinaries(platform: string = process.platform, arch: string = process.arch) {
  try {
    const found: Partial<Binaries> = createRequire(import.meta.url)(`@embedded-postgres/${platform}-${arch}`);
    const { initdb, postgres } = found;
    if (initdb === undefined || postgres === undefined) throw new TypeError('the package has no programs');
    return { initdb, postgres };
  } catch (error) {
    throw new NoBinariesError(
      `This installation has no embedded PostgreSQL (${platform} on ${arch}): set DATABASE_URL or DATABASE_URL_FILE to a PostgreSQL of your own, and GATEHOUSE_MASTER_KEY or GATEHOUSE_MASTER_KEY_FILE.`,
      { cause: error },
    );
  }
}
