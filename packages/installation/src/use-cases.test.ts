import { createPorts, OPERATOR } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { createUseCases } from './use-cases.ts';

test('a use case that a folder exports is available by its name, and others are not', async () => {
  const useCases = createUseCases(createPorts());
  expect(await useCases.createAccount(OPERATOR, { name: 'Acme' })).toMatchObject({ ok: true });
  expect(useCases).toHaveProperty('actAs');
  for (const name of ['exportAuditEvents', 'getOrganization', 'parseAccountId', 'eventBy']) {
    expect(useCases).not.toHaveProperty(name);
  }
});
