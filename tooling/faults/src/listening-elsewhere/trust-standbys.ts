import { registerHooks } from 'node:module';

// Sabotage, for `node --import`: a server that uses the answers of a standby.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/primary-only.ts')) return loaded;
    return { ...loaded, source: String(loaded.source).replaceAll('pg_is_in_recovery()', 'false') };
  },
});
