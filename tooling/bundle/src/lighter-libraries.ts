import { readFileSync } from 'node:fs';
import type { Plugin } from 'rolldown';

/** Modules of Node that a library loads at once, though no command needs them, and the function that the library calls. */
const LATER = [
  // commander starts programs only for commands that are programs of their own.
  { library: 'commander', module: 'child_process', call: 'spawn' },
  // pg looks up names for its driver in C; else net does it.
  { library: 'pg', module: 'dns', call: 'lookup' },
] as const;

const PREFIX = '\0later:';

/** Loads these modules of Node when the library calls them. Loading one takes a command 1 to 4 ms. */
export const laterBuiltIns: Plugin = {
  name: 'later-built-ins',
  resolveId: {
    filter: { id: /^(node:)?(child_process|dns)$/ },
    handler(id, importer) {
      const found = LATER.findIndex(
        ({ library, module }) =>
          id.replace('node:', '') === module && importer?.includes(`/node_modules/${library}/`),
      );
      return found === -1 ? null : `${PREFIX}${found}`;
    },
  },
  load: {
    filter: { id: /^\0later:/ },
    handler(id) {
      const later = LATER[Number(id.slice(PREFIX.length))];
      if (later === undefined) return null;
      const { module, call } = later;
      return `exports.${call} = (...given) => process.getBuiltinModule('node:${module}').${call}(...given);`;
    },
  },
};

/** Replaces the cryptography of pg in the command line by pg-cryptography.cjs. In a server, pg keeps its own, in threads. */
export const pgCryptography: Plugin = {
  name: 'pg-cryptography',
  load: {
    filter: { id: /\/node_modules\/pg\/lib\/crypto\/utils\.js$/ },
    handler: () => readFileSync(new URL('pg-cryptography.cjs', import.meta.url), 'utf8'),
  },
};
