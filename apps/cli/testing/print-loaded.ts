import { registerHooks } from 'node:module';

// For `node --import`: says on standard error, at the end, which modules the program loaded.
const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => void process.stderr.write(loaded.join('\n')));
