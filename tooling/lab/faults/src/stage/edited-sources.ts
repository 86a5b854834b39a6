// For `node --import`: edits sources when they are loaded. `SABOTAGE` has the edits.
import { registerHooks } from 'node:module';
import { applyEdit, type Edit } from '@gatehouse/mutations';

const edits: readonly Edit[] = JSON.parse(process.env.SABOTAGE ?? '[]');

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const own = edits.filter(({ file }) => url.endsWith(file));
    if (own.length === 0) return loaded;
    return { ...loaded, source: own.reduce(applyEdit, String(loaded.source)) };
  },
});
