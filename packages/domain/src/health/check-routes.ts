import type { Ports } from '../ports.ts';
import { defineCheck, outcomeOf } from './check.ts';

/** Reports routes of extensions that are public because their package was made before routes had to declare it. */
export const routesCheck = defineCheck({
  id: 'extension_routes',
  passed: 'Each route of an extension has a rule, or says that it is public.',
  name: 'the routes of extensions',
  needsSchema: false,
  async run({ findOpenRoutes }: Ports<'findOpenRoutes'>) {
    const routes = await findOpenRoutes();
    return outcomeOf(routes.map((route) => ({ code: 'route_open_unsaid' as const, ...route })));
  },
  findings: {
    route_open_unsaid: ({ extension, route }) => ({
      message: `${route} of the extension ${extension} is open to everyone who reaches the server: the route has no rule, and does not say that it is public.`,
      remedy:
        'Add the rule, or `public: true` if that is meant, to its description, and install that version.',
    }),
  },
});
