import { registerHooks } from 'node:module';

// For `node --import`: prints the modules that the program loaded to standard error when it exits.
const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => void process.stderr.write(loaded.join('\n')));
