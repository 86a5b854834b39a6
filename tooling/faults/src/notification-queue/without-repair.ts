import { registerHooks } from 'node:module';

// Sabotage, for `node --import`: a server that retries but does not repair a broken notification queue.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/listening-connection.ts')) return loaded;
    const source = String(loaded.source).replace('select pg_notification_queue_usage()', 'select 1');
    return { ...loaded, source };
  },
});
