import { anEvent, givenAccount, givenToken, givenUser, START } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { AS_ADA, givenAda } from '../../../testing/ada.ts';

const UNKNOWN = '019a0000-0000-7000-8000-000000000000';
const DAY = 86_400_000;

/** Ada's token, and one of another account. */
async function givenTokens() {
  const cli = await givenAda();
  const bolt = await givenAccount(cli.store, 'Bolt');
  const cy = await givenUser(cli.store, bolt.id, { email: 'cy@bolt.example' });
  const erp = await givenToken(cli.store, cli.ada, { name: 'ERP' });
  const foreign = await givenToken(cli.store, cy, { name: 'Wiki' });
  const show = (which: string, ...args: readonly string[]) => cli.run(['token', 'show', which, ...args]);
  const shown = async (which: string) => JSON.parse((await show(which, '--json')).stdout);
  return { ...cli, bolt, cy, erp, foreign, show, shown, usage: cli.store.usage };
}

test('a token’s document has the members of a list, and its history', async () => {
  const { run, ada } = await givenAda();
  const made = await run(['token', 'create', ...AS_ADA, '--name', 'Scale', '--json']);
  const { token: _, ...document } = JSON.parse(made.stdout);
  const diagnosis = { replaces: null, replaced_by: null, works: true, because: null };
  const details = {
    name: 'Scale',
    kind: 'api',
    format: 'paseto',
    scopes: ['*'],
    user_id: ada.id,
    expires_at: null,
  };
  const history = [
    {
      at: '2026-01-01T00:00:00.000Z',
      actor: { kind: 'user', id: ada.id, email: 'ada@acme.example' },
      origin: 'test-machine',
      action: 'token.created',
      details,
    },
  ];
  const { stdout } = await run(['token', 'show', 'Scale', '--json']);
  expect(JSON.parse(stdout)).toEqual({ ...document, ...diagnosis, history });
});

test('for users it has fields, the history in lines, and a sentence', async () => {
  const { run, erp, show, usage, clock } = await givenTokens();
  usage.used(erp.id, clock.now());
  clock.advance(180_000);
  usage.refused(erp.id, clock.now(), 'insufficient_scope');
  clock.advance(60_000);
  const working = (await show('ERP')).stdout;
  expect(working).toMatch(/^NAME +ERP\nID +/);
  expect(working).toMatch(/^OWNER +ada@acme\.example$/m);
  expect(working).toMatch(/^EXPIRES +never$/m);
  expect(working).toMatch(/^LAST USED +4 minutes ago$/m);
  expect(working).toMatch(/^LAST REFUSED +1 minute ago: insufficient_scope$/m);
  const sentence = 'Works, but its last request was refused 1 minute ago: insufficient_scope.';
  expect(working.endsWith(`\n\n${sentence}\n`)).toBe(true);

  await run(['token', 'revoke', erp.id, ...AS_ADA, '--yes', '--reason', 'leaked']);
  const failing = (await show('ERP')).stdout;
  expect(failing).toMatch(
    /^2026-01-01T00:04:00Z +ada@acme\.example +test-machine +token\.revoked .*leaked$/m,
  );
  expect(failing).toMatch(
    /\nFails because it was revoked by ada@acme\.example on 2026-01-01T00:04:00Z: leaked\.\n$/,
  );
});

test('a token that is unknown, or of another account, is not found', async () => {
  const { foreign, show } = await givenTokens();
  for (const which of [UNKNOWN, UNKNOWN.toUpperCase(), 'Unknown', foreign.id, 'Wiki']) {
    const missed = await show(which, ...AS_ADA);
    expect(missed, which).toEqual(await show(UNKNOWN));
    expect(missed, which).toMatchObject({ status: 3, stdout: '' });
  }
  expect((await show(foreign.id)).status).toBe(0);
  expect((await show('Wiki')).status).toBe(0);
  expect((await show('')).status).toBe(2);
});

test('several tokens with the same name are listed, and none is shown', async () => {
  const { store, cy, erp, show, shown } = await givenTokens();
  const other = await givenToken(store, cy, { name: 'ERP', expiresAt: (START + DAY) as typeof START });
  expect(await show('ERP')).toEqual({
    status: 5,
    stdout: '',
    stderr: `error: Several tokens have this name. Use one of these ids:
  ${erp.id}  active, owned by ada@acme.example
  ${other.id}  active, owned by cy@bolt.example
`,
  });
  expect((await show('ERP', ...AS_ADA)).status).toBe(0);
  expect((await shown(other.id)).user.email).toBe('cy@bolt.example');
});

test('for a token that does not work the reason is shown to users and programs', async () => {
  const { store, bolt, ada, cy, clock, show, shown } = await givenTokens();
  const end = (START + DAY) as typeof START;
  await givenToken(store, ada, { name: 'Short', expiresAt: end });
  const old = await givenToken(store, ada, { name: 'Old' });
  const next = await givenToken(store, ada, { name: 'Next', replaces: { tokenId: old.id, graceMs: DAY } });
  await givenToken(store, ada, { name: 'Replaced', expiresAt: end, replacedAt: START });
  await givenToken(store, cy, { name: 'Blocked' });
  await store.accounts.suspend(bolt.id, START, anEvent());
  const told = async (name: string) => (await show(name)).stdout.trimEnd().split('\n').at(-1);

  expect(await told('Old')).toBe(`Works until 24 hours after its replacement ${next.id} is first used.`);
  expect(await shown('Old')).toMatchObject({ state: 'being_replaced', works: true, replaced_by: next.id });
  expect(await shown('Next')).toMatchObject({ replaces: old.id, replaced_by: null });
  expect(await told('Replaced')).toBe('Works until 2026-01-02T00:00:00Z: its replacement is in use.');
  clock.advance(DAY);
  expect(await told('Short')).toBe('Fails because it expired on 2026-01-02T00:00:00Z.');
  expect(await told('Replaced')).toBe(
    'Fails because another token has replaced it, and its grace period ended on 2026-01-02T00:00:00Z.',
  );
  expect(await told('Blocked')).toBe(
    'Fails because its account, Bolt, was suspended on 2026-01-01T00:00:00Z.',
  );
  expect(await shown('Blocked')).toMatchObject({ works: false, because: 'account_suspended' });
  expect(await shown('Short')).toMatchObject({ works: false, because: 'expired' });
});
