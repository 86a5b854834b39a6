// Opens the data folder in its argument, and closes it when its input ends.
import { once } from 'node:events';
import { openEmbeddedPostgres } from '../src/index.ts';

const [, , dataDir = ''] = process.argv;
const say = (message: unknown) => process.stdout.write(`${JSON.stringify(message)}\n`);

try {
  const { url, close } = await openEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off' },
    onIncident: (incident) => say({ incident }),
  });
  say({ url });
  process.stdin.resume();
  await once(process.stdin, 'end');
  await close();
} catch (error) {
  say({ error: error instanceof Error ? { name: error.name, message: error.message } : error });
  process.exitCode = 1;
}
