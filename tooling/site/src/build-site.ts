import { mkdirSync, mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';

/** The package of the site, where VitePress finds its configuration. */
const FOLDER = fileURLToPath(new URL('../', import.meta.url));

export interface BuildOptions {
  /** The folder that gets the site. Its content is removed first. */
  readonly folder: string;
  /** The path of the site on its host, with slashes around it. */
  readonly base: string;
}

/** Builds the site out of the Markdown files. Throws if a link leads to no page. One build at a time in a process. */
export async function buildSite({ folder, base }: BuildOptions): Promise<void> {
  process.env.GATEHOUSE_SITE_BASE = base;
  const outDir = resolve(folder);
  const before = process.cwd();
  // VitePress puts a link to Vue into the package of the working folder if the package has none.
  process.chdir(FOLDER);
  try {
    await build(FOLDER, {
      outDir,
      onAfterConfigResolve(config) {
        // VitePress's default is one folder for all builds, so two builds at a time would mix their files. Below the
        // package, Node finds Vue.
        const parent = join(FOLDER, 'node_modules/.cache');
        mkdirSync(parent, { recursive: true });
        config.tempDir = mkdtempSync(join(parent, 'site-'));
      },
    });
  } finally {
    process.chdir(before);
  }
}
