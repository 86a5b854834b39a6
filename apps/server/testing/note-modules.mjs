// Preloaded by NODE_OPTIONS in a process whose modules are to be known: it writes the URL of each into a file.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { NOTED_MODULES: file = '/dev/null' } = process.env;

registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
