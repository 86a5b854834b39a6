import { defineExtension } from '@gatehouse/extension-kit';
import { refusals } from './http.ts';
import { READ_VISITS, START_VISIT } from './visit.ts';

/** An extension as it was written for version 1 of the kit. Its files never change: what it uses stays. */
export const visits = defineExtension({
  name: 'visits',
  scopes: { 'visits:read': { label: 'Read visits', allows: 'The visits to organizations.' } },
  rules: [READ_VISITS, START_VISIT],
  actions: { 'visit.started': 'started the visit' },
  refusals,
  domain: () => import('./visit.ts'),
  postgres: async () => (await import('./postgres.ts')).postgresLayer,
  http: () => import('./http.ts'),
  testing: () => import('./testing.ts'),
});
