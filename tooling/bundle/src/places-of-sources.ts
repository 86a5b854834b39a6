import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'rolldown';

/**
 * In the bundle, `import.meta` of a module is the place of its source, so files beside the source are found there. A
 * file that is in the bundle itself, such as a thread's, is found in the bundle.
 */
export function placesOfSources(
  root: string,
  sources: string,
  programs: Readonly<Record<string, string>>,
): Plugin {
  const bundled = new Map(Object.entries(programs).map(([name, path]) => [join(root, path), `${name}.js`]));
  return {
    name: 'places-of-sources',
    transform: {
      filter: { code: /import\.meta\.(url|dirname|filename)/ },
      handler(code, id) {
        // The programs themselves are at the place of the bundle.
        if (id.endsWith('/bin/bundled.js')) {
          return code.replaceAll('import.meta.dirname', '__dirname');
        }
        return code
          .replaceAll(/new URL\('([^']+)', import\.meta\.url\)/g, (written, path: string) => {
            const file = bundled.get(join(dirname(id), path));
            return file === undefined ? written : urlIn(file);
          })
          .replaceAll('import.meta.url', urlIn(join(sources, relative(root, id))))
          .replaceAll('import.meta.dirname', pathIn(join(sources, relative(root, dirname(id)))))
          .replaceAll('import.meta.filename', pathIn(join(sources, relative(root, id))));
      },
    },
  };
}

/** An expression for a path that is relative to the bundle's folder, where all of its files are. */
export function pathIn(path: string): string {
  return `process.getBuiltinModule('node:path').join(__dirname, ${JSON.stringify(path)})`;
}

function urlIn(path: string): string {
  return `process.getBuiltinModule('node:url').pathToFileURL(${pathIn(path)})`;
}
