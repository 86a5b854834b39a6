import { registerHooks } from 'node:module';

// Sabotage, for `node --import`: a server that trusts every answered heartbeat.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/change-feed-trust.ts')) return loaded;
    return {
      ...loaded,
      format: 'module',
      shortCircuit: true,
      source: 'export const trustProblem = () => undefined;',
    };
  },
});
