import { registerHooks } from 'node:module';

// Sabotage, for `node --import`: a server without limits on pipelined requests.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/http/pipelining.ts')) return loaded;
    const source = String(loaded.source);
    const unlimited = source
      .replace(/perConnection: [\d_]+/, 'perConnection: Number.POSITIVE_INFINITY')
      .replace(/perClient: [\d_]+/, 'perClient: Number.POSITIVE_INFINITY')
      .replace(/perServer: [\d_]+/, 'perServer: Number.POSITIVE_INFINITY');
    if (unlimited === source) throw new Error('there is no limit to take away');
    return { ...loaded, source: unlimited };
  },
});
