import type { ExtensionState } from '../extensions/extension-schemas.ts';
import type { Ports } from '../ports.ts';
import { defineCheck, outcomeOf } from './check.ts';
import type { SchemaState } from './probes.ts';

/**
 * Reports extensions whose schema does not fit this program, and rows of extensions whose organization or account does
 * not exist.
 */
export const extensionsCheck = defineCheck({
  id: 'extensions',
  passed: 'Each extension has the schema that this program needs.',
  name: 'the schemas of extensions',
  async run({ extensionSchemas }: Ports<'extensionSchemas'>) {
    const states = await extensionSchemas.states();
    const lost = await extensionSchemas.countLost();
    return outcomeOf([
      ...namesIn('behind', states).map((extension) => ({ code: 'extension_behind' as const, extension })),
      ...namesIn('ahead', states).map((extension) => ({ code: 'extension_ahead' as const, extension })),
      ...lost.map((rows) => ({ code: 'extension_rows_lost' as const, ...rows })),
    ]);
  },
  findings: {
    extension_behind: ({ extension }) => ({
      message: `The schema of the extension ${extension} is older than this program needs: the server answers requests for the extension with status 503.`,
      remedy: 'Run `gatehouse migrate`. If it fails, it prints the reason.',
    }),
    extension_ahead: ({ extension }) => ({
      message: `The schema of the extension ${extension} is newer than this program.`,
      remedy: 'Run the newer version of the extension that was installed before this version.',
    }),
    extension_rows_lost: ({ extension, count, one, several, belongsTo }) => ({
      message: `The extension ${extension} has ${count.toLocaleString('en')} ${count === 1 ? one : several} of ${belongsTo}s that do not exist.`,
      remedy: `Delete these rows. A foreign key to the ${belongsTo} with \`on delete cascade\` prevents such rows.`,
    }),
  },
});

function namesIn(wanted: SchemaState, states: readonly ExtensionState[]): readonly string[] {
  return states.filter(({ state }) => state === wanted).map(({ name }) => name);
}

/**
 * Reports routes of extensions that are public although they do not declare it. Such a package was made before routes
 * had to declare that they are public.
 */
export const routesCheck = defineCheck({
  id: 'extension_routes',
  passed: 'Each route of an extension has a rule, or declares that it is public.',
  name: 'the routes of extensions',
  needsSchema: false,
  async run({ findOpenRoutes }: Ports<'findOpenRoutes'>) {
    const routes = await findOpenRoutes();
    return outcomeOf(routes.map((route) => ({ code: 'route_open_unsaid' as const, ...route })));
  },
  findings: {
    route_open_unsaid: ({ extension, route }) => ({
      message: `${route} of the extension ${extension} is open to everyone who reaches the server: the route has no rule, and does not declare that it is public.`,
      remedy:
        'Add a rule to the description of the route, or `public: true` if the route is meant to be open. Then install that version of the extension.',
    }),
  },
});
