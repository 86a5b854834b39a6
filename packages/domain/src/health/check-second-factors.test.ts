import { expect, test } from 'vitest';
import { createFakeKeyEncryption, createWorldWithAdmins, givenEnrolled } from '../../testing/index.ts';
import { ok } from '../result.ts';
import { secondFactorsCheck } from './check-second-factors.ts';

test('users whose secret the master key does not decrypt are named', async () => {
  const { world, ada, eve } = await createWorldWithAdmins();
  await givenEnrolled(world, ada);
  expect(await secondFactorsCheck.run(world)).toEqual({ status: 'passed' });
  await givenEnrolled({ ...world, encryption: createFakeKeyEncryption('lost') }, eve);
  const unreadable = (emails: readonly string[]) => ({
    status: 'failed',
    findings: [{ code: 'second_factors_unreadable', count: emails.length, emails }],
  });
  expect(await secondFactorsCheck.run(world)).toEqual(unreadable([eve.email]));
  const findMasterKey = async () => ok(createFakeKeyEncryption('other'));
  expect(await secondFactorsCheck.run({ ...world, findMasterKey })).toEqual(
    unreadable([ada.email, eve.email]),
  );
  expect(await secondFactorsCheck.run({ ...world, findMasterKey: async () => undefined })).toEqual({
    status: 'skipped',
    because: 'no_master_key',
  });
});
