import type { Plugin } from 'rolldown';

const MODULE = '\0later-processes';

/** commander starts programs only for commands that are programs of their own, which ours are not; loading what does it takes 4 ms. */
export const laterProcesses: Plugin = {
  name: 'later-processes',
  resolveId: {
    filter: { id: /^node:child_process$/ },
    handler: (_, importer) => (importer?.includes('/commander/') ? MODULE : null),
  },
  load: {
    filter: { id: /^\0later-processes$/ },
    handler: () =>
      "export default { spawn: (...given) => process.getBuiltinModule('node:child_process').spawn(...given) };",
  },
};
