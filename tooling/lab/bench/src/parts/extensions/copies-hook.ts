// For `node --import`: registers the extensions whose modules `COPIES` lists.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const LIST = 'export const EXTENSIONS: readonly Extension[] = [';
const modules: readonly string[] = JSON.parse(process.env.COPIES ?? '[]');

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/packages/extensions/src/index.ts')) return loaded;
    // A hook costs time for every module.
    hooks.deregister();
    const imports = modules.map(
      (path, index) => `import * as copy${index} from '${pathToFileURL(path).href}';\n`,
    );
    const list = `${LIST}${modules.map((_, index) => `...Object.values(copy${index}), `).join('')}`;
    return { ...loaded, source: imports.join('') + String(loaded.source).replace(LIST, list) };
  },
});
