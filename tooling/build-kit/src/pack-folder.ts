import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { billOfMaterials, type Materials } from './bill-of-materials.ts';
import { ROOT, run } from './run.ts';

/** The manifest of a package that is packed. */
export interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The files that the package has besides those that every package of ours has. */
  readonly files: readonly string[];
}

/** The name of the bill of materials in a package. */
export const BILL_OF_MATERIALS = 'sbom.cdx.json';

/**
 * Packs a folder. It gets its `package.json`, the licence and the bill of materials. pnpm gives all files the same time
 * and owner, so the same files make the same bytes.
 *
 * @returns the path of the tarball in `target`, such as `gatehouse-client-1.2.0.tgz`
 */
export function packFolder(
  draft: string,
  manifest: PackedManifest,
  materials: Materials,
  target: string,
): string {
  const files = [...manifest.files, BILL_OF_MATERIALS];
  writeFileSync(join(draft, 'package.json'), `${JSON.stringify({ ...manifest, files }, undefined, 2)}\n`);
  writeFileSync(
    join(draft, BILL_OF_MATERIALS),
    `${JSON.stringify(billOfMaterials(manifest, materials), undefined, 1)}\n`,
  );
  cpSync(join(ROOT, 'LICENSE'), join(draft, 'LICENSE'));
  mkdirSync(target, { recursive: true });
  run(draft, 'pnpm', 'pack', '--pack-destination', target);
  return join(target, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`);
}
