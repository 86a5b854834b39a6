import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { emitKit, KIT } from './emit-kit.ts';
import { kitManifest, materialsOf } from './kit-manifest.ts';
import { packFolder } from './pack-folder.ts';
import { ROOT } from './run.ts';

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
      for (const file of ['README.md', 'CHANGELOG.md'].map((each) => join(ROOT, 'packages', name, each))) {
        if (existsSync(file)) cpSync(file, join(draft, name, basename(file)));
      }
      return packFolder(join(draft, name), manifest, materialsOf(name, manifest), folder);
    });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
