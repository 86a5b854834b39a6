import { expect, test } from 'vitest';
import {
  anEvent,
  createFakeKeyEncryption,
  createWorldWithAdmins,
  inPerson,
  START,
  unwrap,
} from '../../testing/index.ts';
import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import { createWebhook } from '../webhooks/manage-webhooks.ts';
import { webhooksCheck } from './check-webhooks.ts';

test('webhooks that fail for a day, are gone, or whose secrets are lost are named', async () => {
  const { world, ada } = await createWorldWithAdmins();
  const create = async (ports = world) => {
    const input = {
      url: 'https://hooks.example/',
      description: '',
      actions: 'all',
      includesAddresses: false,
    } as const;
    return unwrap(await createWebhook(ports)(inPerson(ada), input)).webhook;
  };
  const [failing, gone] = [await create(), await create()];
  const attempt = {
    at: START,
    position: 1 as AuditPosition,
    action: 'token.created',
    outcome: { kind: 'failed', problem: 'timed_out' },
  } as const;
  await world.webhooks.recordAttempt(failing.id, attempt, false);
  world.clock.advance(86_399_999);
  expect(await webhooksCheck.run(world)).toEqual({ status: 'passed' });
  world.clock.advance(1);
  await world.webhooks.setDisabled(gone, { at: START, reason: 'gone' }, () => anEvent());
  const findMasterKey = async () => ({ ok: true, value: createFakeKeyEncryption('other') }) as const;
  expect(await webhooksCheck.run(world)).toEqual({
    status: 'failed',
    findings: [
      { code: 'webhook_failing', id: failing.id, since: START },
      { code: 'webhook_gone', id: gone.id, at: START },
    ],
  });
  expect(await webhooksCheck.run({ ...world, findMasterKey })).toMatchObject({
    findings: [{}, {}, { code: 'webhook_secrets_unreadable', ids: [failing.id, gone.id] }],
  });
});
