import { expect, test } from 'vitest';
import { createInMemoryStoreProbe } from '../../testing/index.ts';
import { checkIn, createInstallation, findingsIn, outcomeIn } from '../../testing/installation.ts';
import { describeFinding } from './health-report.ts';

const OPEN = { extension: 'visits', route: 'GET /api/v1/orgs/{organization}/visits' };

test('each route is named that is open and does not say so', async () => {
  const { world } = await createInstallation();
  const others = { ...OPEN, route: 'POST /api/v1/visits' };
  const findings = await findingsIn(world, { findOpenRoutes: async () => [OPEN, others] });
  expect(findings.map((finding) => describeFinding(finding).message)).toEqual([
    'GET /api/v1/orgs/{organization}/visits of the extension visits is open to everyone who reaches the server: the route has no rule, and does not declare that it is public.',
    expect.stringMatching(/^POST \/api\/v1\/visits of the extension visits is open/),
  ]);
});

test('also while the schema is behind', async () => {
  const { world } = await createInstallation();
  const storeProbe = { ...createInMemoryStoreProbe(world.clock), schemaState: async () => 'behind' as const };
  const report = await checkIn(world, { storeProbe, findOpenRoutes: async () => [OPEN] });
  expect(outcomeIn(report, 'extension_routes')).toMatchObject({ status: 'failed' });
});
