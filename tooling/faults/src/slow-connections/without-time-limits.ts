import { registerHooks } from 'node:module';

// Sabotage, for `node --import`: a server without time limits for requests.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/http/http-server.ts')) return loaded;
    const source = String(loaded.source);
    const patient = source
      .replace(/headersTimeout: .*,/, 'headersTimeout: 0,')
      .replace(/requestTimeout: .*,/, 'requestTimeout: 0,');
    if (patient === source) throw new Error('there is no limit to take away');
    return { ...loaded, source: patient };
  },
});
