import { registerHooks } from 'node:module';

const EXAMPLE = import.meta.resolve('@gatehouse/shift-notes');
const LIST = 'export const EXTENSIONS: readonly Extension[] = [';

// For `node --import`: registers the example beside the extensions of the installation, as a team's two lines would.
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/packages/extensions/src/index.ts')) return loaded;
    const source = String(loaded.source).replace(LIST, `${LIST}shiftNotes, `);
    return { ...loaded, source: `import { shiftNotes } from '${EXAMPLE}';\n${source}` };
  },
});
