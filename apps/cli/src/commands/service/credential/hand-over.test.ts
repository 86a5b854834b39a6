import type { CredentialSecret } from '@gatehouse/domain/services';
import { createFakeCredentialSecrets } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { failingOutput } from '../../../../testing/failing-output.ts';
import { createMemoryCli } from '../../../../testing/memory-cli.ts';

const CREATE = ['service', 'credential', 'create', 'orders'];

async function givenOrders() {
  const cli = createMemoryCli();
  await cli.run(['service', 'create', 'orders', '--open-to', 'all']);
  const credentials = async () => {
    const [service] = await cli.store.services.list();
    return service?.credentials ?? [];
  };
  return { ...cli, credentials };
}

test('standard output has the secret alone, and the service is found by it', async () => {
  const { run, credentials } = await givenOrders();
  const { status, stdout, stderr } = await run(CREATE);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ghs_[\w-]{43}\n$/);
  expect(stderr).not.toContain('ghs_');
  const { hashOf } = createFakeCredentialSecrets();
  expect(await credentials()).toMatchObject([{ hash: hashOf(stdout.trim() as CredentialSecret) }]);
});

test.each(['ENOSPC', 'EPIPE'])('a credential that could not be printed (%s) is revoked', async (code) => {
  const { run, credentials, clock } = await givenOrders();
  const failed = await run(CREATE, { stdout: failingOutput(code) });
  expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('so it was revoked') });
  expect(await credentials()).toMatchObject([{ revokedAt: clock.now() }]);
});

test('after a rotation that could not be printed, the old credential works until the grace period ends', async () => {
  const { run, credentials } = await givenOrders();
  await run(CREATE);
  const [{ id } = expect.fail()] = await credentials();
  const rotate = ['service', 'credential', 'rotate', 'orders', id];
  const failed = await run(rotate, { stdout: failingOutput('EPIPE') });
  expect(failed).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      'so it was revoked. The old credential is accepted until 2026-01-02T00:00:00Z.',
    ),
  });
  const [old, successor] = await credentials();
  expect(old?.revokedAt).toBeNull();
  expect(successor?.revokedAt).not.toBeNull();
});

test('if the credential cannot be revoked either, the user is told to do it', async () => {
  const { run, gatehouse } = await givenOrders();
  Object.assign(gatehouse, { revokeServiceCredential: () => Promise.reject(new Error('gone')) });
  const { stderr } = await run(CREATE, { stdout: failingOutput('EPIPE') });
  expect(stderr).toContain(
    'run `gatehouse service credential revoke orders 01999999-0000-7000-a000-000000000001`',
  );
});

test('the end of a credential is the one that was asked for, and never by default', async () => {
  const { run, credentials } = await givenOrders();
  await run(CREATE);
  await run([...CREATE, '--expires-in', '90d']);
  const [endless, ending] = await credentials();
  expect(endless?.expiresAt).toBeNull();
  expect(ending?.expiresAt).toBe((ending?.createdAt ?? 0) + 90 * 86_400_000);
});

test('a credential of another service is not found', async () => {
  const { run, credentials } = await givenOrders();
  await run(CREATE);
  await run(['service', 'create', 'stock', '--open-to', 'all']);
  const [{ id } = expect.fail()] = await credentials();
  for (const command of ['rotate', 'revoke']) {
    const refused = await run(['service', 'credential', command, 'stock', id, '--yes']);
    expect(refused).toMatchObject({ status: 3, stdout: '' });
  }
  expect(await credentials()).toMatchObject([{ revokedAt: null, expiresAt: null }]);
});
