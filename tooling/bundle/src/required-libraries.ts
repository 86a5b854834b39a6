import { readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'rolldown';
import { pathIn } from './places-of-sources.ts';

/**
 * Libraries with machine code, which they look for beside their own files, and the packages that use these libraries.
 */
const NATIVE: Readonly<Record<string, string>> = {
  '@node-rs/argon2': 'packages/password-argon2',
  'sodium-native': 'packages/ed25519',
};

/** Imports of extensions that the bundle has: there must be one copy of each. */
const SHARED = /^(node:|@gatehouse\/|zod$|zod\/|\.)/;

/** The marker of a library that is required where it is installed. */
const PREFIX = '\0required:';

/**
 * Libraries that are not bundled: those with machine code, and those that installed extensions depend on. They are
 * loaded when they are needed, from the package that imports them.
 */
export function requiredLibraries(root: string, sources: string): Plugin {
  const extensions = installedExtensions(root);
  return {
    name: 'required-libraries',
    resolveId: {
      filter: { id: /^[^.\0/]/ },
      handler(id, importer) {
        if (importer === undefined) return null;
        const isOfExtension = extensions.some((folder) => importer.startsWith(`${folder}/`));
        if (!Object.hasOwn(NATIVE, id) && !(isOfExtension && !SHARED.test(id))) return null;
        return `${PREFIX}${JSON.stringify([id, join(sources, relative(root, importer))])}`;
      },
    },
    load: {
      filter: { id: /^\0required:/ },
      handler(id) {
        const [library, importer] = JSON.parse(id.slice(PREFIX.length));
        return `module.exports = process.getBuiltinModule('node:module').createRequire(${pathIn(importer)})(${JSON.stringify(library)});`;
      },
    },
  };
}

/** Returns the folders of registered extensions that are not packages of the workspace. */
function installedExtensions(root: string): readonly string[] {
  const registry = join(root, 'packages/extensions');
  const { dependencies } = JSON.parse(readFileSync(join(registry, 'package.json'), 'utf8'));
  return Object.entries<string>(dependencies)
    .filter(([, range]) => !range.startsWith('workspace:'))
    .map(([name]) => realpathSync(join(registry, 'node_modules', name)));
}

/**
 * Returns the folders of the libraries that are not bundled, and the folder of each installed extension, which may read
 * its own files.
 */
export function requiredFolders(root: string): readonly string[] {
  const native = Object.entries(NATIVE).map(([name, user]) =>
    realpathSync(join(root, user, 'node_modules', name)),
  );
  return [...native, ...installedExtensions(root)];
}
