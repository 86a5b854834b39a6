import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { createWorldWithAdmins, givenOrganization, inPerson, unwrap } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { visits } from './written-for-version-1/index.ts';

const FOLDER = join(import.meta.dirname, 'written-for-version-1');

test('an extension that was written for version 1 of the kit is described, and its use cases work', async () => {
  const catalog = createCatalog([...BUILT_IN, visits]);
  expect(catalog.scopes).toContain('visits:read');
  const [{ createUseCases }, { createInMemoryStore }] = await Promise.all([
    visits.domain(),
    visits.testing(),
  ]);
  const { world, ada } = await createWorldWithAdmins();
  const { listVisits, startVisit } = createUseCases({ ...world, store: createInMemoryStore(world) });
  const { id: organizationId } = await givenOrganization(world, ada.accountId);
  const started = unwrap(await startVisit(inPerson(ada), { organizationId, visitor: 'Mo' }));
  const listed = await listVisits(inPerson(ada), { organizationId, after: undefined, limit: 10 });
  expect(unwrap(listed)).toEqual([started]);
  expect((await visits.postgres()).belongings).toHaveLength(1);
  expect((await visits.http?.())?.routes.map(({ operationId }) => operationId)).toEqual(['listVisits']);
});

test('its files are as they were written', () => {
  const hash = createHash('sha256');
  for (const file of globSync('*', { cwd: FOLDER }).toSorted()) hash.update(readFileSync(join(FOLDER, file)));
  expect(
    hash.digest('hex'),
    'The kit must keep everything that these files use: correct the kit, and not these files',
  ).toBe('4dbae64813041d0d6d647bf0401ceae2a7efd224cbb98a044aee6cd667ec5686');
});
