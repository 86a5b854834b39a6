import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serveSite } from '@gatehouse/site';

/** Not the root of a host, so that a link without its base leads nowhere. */
export const BASE = '/handbook/';

const ROOT = join(import.meta.dirname, '../../../..');
const COMMAND = join(ROOT, 'tooling/site/src/main.ts');

export interface BuiltSite extends AsyncDisposable {
  readonly folder: string;
  /** The address at which it is served. */
  readonly url: string;
}

/** Builds the site by its command and serves it to this machine. */
export async function builtSite(): Promise<BuiltSite> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-site-'));
  try {
    await promisify(execFile)(process.execPath, [COMMAND, '--base', BASE, '--folder', folder], { cwd: ROOT });
    const served = await serveSite(folder, BASE, 0);
    return {
      folder,
      url: served.url,
      async [Symbol.asyncDispose]() {
        await served[Symbol.asyncDispose]();
        rmSync(folder, { recursive: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
}
