import { registerHooks } from 'node:module';

// Sabotage, for `node --import`: a hasher that starts all hashes at once.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/bounded-work.ts')) return loaded;
    const source = String(loaded.source);
    const unbounded = source.replace('pLimit(concurrency)', 'pLimit(Number.POSITIVE_INFINITY)');
    if (unbounded === source) throw new Error('there is no bound to take away');
    return { ...loaded, source: unbounded };
  },
});
