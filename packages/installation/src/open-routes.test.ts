import type { Extension } from '@gatehouse/extension-kit';
import type { Route } from '@gatehouse/extension-kit/http';
import { expect, test } from 'vitest';
import { OPEN, RULED, VISITS } from '../testing/visits.ts';
import { findOpenRoutes } from './open-routes.ts';

/** An extension whose routes are as a package has them, which no compiler looks at again. */
const packed = (name: string, ...routes: readonly object[]) =>
  ({
    name,
    http: async () => ({ routes: routes as readonly Route[], serve: () => [] }),
    // Nothing else of an extension is looked at.
  }) as unknown as Extension;

test('routes without a rule that do not say `public` are found, in each extension', async () => {
  const post = { ...VISITS, operationId: 'addVisit', method: 'POST' } as const;
  const extensions = [
    packed('visits', VISITS, { ...post, rule: undefined }),
    packed('said', OPEN, { ...post, rule: RULED.rule }),
    { name: 'without-routes' } as Extension,
    packed('rounds', { ...VISITS, path: '/api/v1/rounds' }),
    // In JavaScript anything can stand where a rule is left out, and the server takes it for none.
    packed('nothing', ...[null, false, 0, ''].map((rule) => ({ ...VISITS, rule }))),
    packed('half-said', ...[false, 'true', 1, null].map((said) => ({ ...VISITS, public: said }))),
  ];
  expect(await findOpenRoutes(extensions)).toEqual([
    { extension: 'visits', route: 'GET /api/v1/visits' },
    { extension: 'visits', route: 'POST /api/v1/visits' },
    { extension: 'rounds', route: 'GET /api/v1/rounds' },
    ...Array(4).fill({ extension: 'nothing', route: 'GET /api/v1/visits' }),
    ...Array(4).fill({ extension: 'half-said', route: 'GET /api/v1/visits' }),
  ]);
});
