// For `node --import`: registers `COPIES` copies of the example extension, each of sources of its own, renamed as
// `npm run new` would, but only when they are loaded.
import { registerHooks } from 'node:module';
import { renamedSource } from './renamed-source.ts';

const EXAMPLE = new URL('../../../../shift-notes/src/index.ts', import.meta.url).href;
const LIST = 'export const EXTENSIONS: readonly Extension[] = [';
const numbers = Array.from({ length: Number(process.env.COPIES) }, (_, index) => index + 1);

const copyOf = (url: string | undefined) => /\/shift-notes\/[^?]*\?copy=(\d+)$/.exec(url ?? '')?.[1];

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const copy = copyOf(context.parentURL);
    const isOwn = copy !== undefined && specifier.startsWith('.');
    return isOwn ? { ...resolved, url: `${resolved.url}?copy=${copy}` } : resolved;
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const copy = copyOf(url);
    if (copy !== undefined) return { ...loaded, source: renamedSource(String(loaded.source), copy) };
    if (!url.endsWith('/packages/extensions/src/index.ts')) return loaded;
    const imports = numbers.map((n) => `import { shiftNotes as copy${n} } from '${EXAMPLE}?copy=${n}';\n`);
    const list = `${LIST}${numbers.map((n) => `copy${n}, `).join('')}`;
    return { ...loaded, source: imports.join('') + String(loaded.source).replace(LIST, list) };
  },
});
