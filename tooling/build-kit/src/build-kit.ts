import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emitKit, KIT } from './emit-kit.ts';
import { kitManifest } from './kit-manifest.ts';
import { run } from './run.ts';

/**
 * Packs domain and kit as JavaScript with declarations, for extensions that have a repository of their own.
 *
 * @returns the paths of the tarballs in `folder`, such as `gatehouse-domain-1.1.0.tgz`
 */
export function buildKit(folder: string): readonly string[] {
  const draft = mkdtempSync(join(tmpdir(), 'gatehouse-kit-'));
  try {
    emitKit(draft);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    return KIT.map((name) => {
      const manifest = kitManifest(name, join(draft, name));
      writeFileSync(join(draft, name, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
      run(join(draft, name), 'pnpm', 'pack', '--pack-destination', folder);
      return join(folder, `${manifest.name.slice(1).replace('/', '-')}-${manifest.version}.tgz`);
    });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
