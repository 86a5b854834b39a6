import { expect, test } from 'vitest';
import { givenAda } from '../../testing/ada.ts';

test('an account is suspended for a reason, and resumed', async () => {
  const { run, acme, store } = await givenAda();
  const id = String(acme.id);
  const suspended = await run(['account', 'suspend', id, '--reason', 'invoice overdue', '--yes', '--json']);
  expect(suspended).toMatchObject({
    status: 0,
    stderr: `Suspended account "Acme": its users and tokens are refused until \`gatehouse account resume ${id}\`.\n`,
  });
  expect(JSON.parse(suspended.stdout)).toEqual({
    id: acme.id,
    name: 'Acme',
    created_at: '2026-01-01T00:00:00.000Z',
    suspended_at: '2026-01-01T00:00:00.000Z',
  });
  const [entry] = await store.audit.list({ limit: 1 });
  expect(entry?.event).toMatchObject({
    action: 'account.suspended',
    details: { reason: 'invoice overdue' },
  });
  expect((await run(['account', 'suspend', id, '--yes'])).stderr).toBe(
    'Account "Acme" was already suspended at 2026-01-01T00:00:00Z.\n',
  );

  const resumed = await run(['account', 'resume', id, '--json']);
  expect(resumed.status).toBe(0);
  expect(JSON.parse(resumed.stdout).suspended_at).toBeNull();
  expect(resumed.stderr).toContain('Resumed account');
  expect(await run(['account', 'resume', id])).toEqual({
    status: 0,
    stdout: '',
    stderr: 'Account "Acme" is not suspended; nothing changed.\n',
  });
});

test('without a terminal a suspension wants --yes, before anything is opened', async () => {
  const { run, acme, store } = await givenAda();
  expect(await run(['account', 'suspend', String(acme.id)])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'error: There is no terminal to ask for confirmation: add --yes to suspend the account.\n',
  });
  expect(await store.accounts.findById(acme.id)).toEqual(acme);
});

test('an unknown account and an invalid id are refused', async () => {
  const { run } = await givenAda();
  for (const verb of ['suspend', 'resume']) {
    const yes = verb === 'suspend' ? ['--yes'] : [];
    expect((await run(['account', verb, '4711', ...yes])).status).toBe(3);
    expect((await run(['account', verb, 'Acme', ...yes])).status).toBe(2);
  }
});
