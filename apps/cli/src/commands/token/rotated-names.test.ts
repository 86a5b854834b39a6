import { givenUser } from '@gatehouse/domain/testing';
import type { TokenId } from '@gatehouse/domain/tokens';
import { beforeEach, expect, test, vi } from 'vitest';
import { AS_ADA, givenAda } from '../../../testing/ada.ts';

const GRACE = '24 hours';

beforeEach(() => vi.stubEnv('GATEHOUSE_AS', ''));

/** A token that was rotated, and the one that replaces it. */
async function givenRotated() {
  const cli = await givenAda();
  const mint = async (...args: readonly string[]): Promise<TokenId> =>
    JSON.parse((await cli.run(['token', ...args, ...AS_ADA, '--json'])).stdout).id;
  const first = await mint('create', '--name', 'ERP', '--expires-in', '90d');
  const second = await mint('rotate', 'ERP');
  const token = (verb: string, ...args: readonly string[]) => cli.run(['token', verb, ...args, ...AS_ADA]);
  const stateOf = async (id: TokenId) => JSON.parse((await token('show', id, '--json')).stdout).state;
  const use = async (id: TokenId) => {
    cli.store.usage.used(id, cli.clock.now());
    await cli.store.usage.flush();
  };
  return { ...cli, mint, first, second, token, stateOf, use };
}

test('every command takes the name of a rotated token for the new one', async () => {
  const { first, second, token, use, mint } = await givenRotated();
  expect(JSON.parse((await token('show', 'ERP', '--json')).stdout).id).toBe(second);
  expect((await token('update', 'ERP', '--expires-in', '30d')).stderr).toContain(
    `Updated token "ERP" (${second})`,
  );
  expect(await token('rotate', 'ERP')).toMatchObject({
    status: 5,
    stderr: expect.stringContaining(`This token replaces ${first}`),
  });
  const { stderr } = await token('revoke', 'ERP', '--dry-run');
  expect(stderr).toContain(`"ERP" of ada@acme.example (${second})`);
  await use(second);
  const third = await mint('rotate', 'ERP');
  expect((await token('revoke', 'ERP', '--yes')).stderr).toContain(`Revoked token "ERP" (${third})`);
});

test('a command says which token of the same rotations still works, and until when', async () => {
  const { first, second, token, use } = await givenRotated();
  const old = `The token "ERP" (${first}) still works`;
  expect((await token('update', 'ERP', '--expires-in', '30d')).stderr).toContain(
    `${old}, until ${GRACE} after its replacement is first used.`,
  );
  expect((await token('revoke', 'ERP', '--dry-run')).stderr).toContain(
    `${old} and expires 2026-04-01T00:00:00Z. With --both, the command revokes it as well.`,
  );
  await use(second);
  expect((await token('rotate', 'ERP')).stderr).toContain(`${old} and expires 2026-01-02T00:00:00Z.`);
  expect((await token('revoke', second, '--yes')).stderr).toContain(
    `${old} and expires 2026-01-02T00:00:00Z: \`gatehouse token revoke ${first}\` revokes it.`,
  );
});

test.each(['ERP', 'the new one’s id', 'the old one’s id'])(
  '--both revokes both tokens, by %s',
  async (by) => {
    const { first, second, token, stateOf } = await givenRotated();
    const reference = by === 'ERP' ? by : by.includes('new') ? second : first;
    const { status, stdout, stderr } = await token('revoke', reference, '--both', '--yes', '--json');
    expect([status, JSON.parse(stdout).length]).toEqual([0, 2]);
    expect(stderr).not.toContain('still works');
    expect([await stateOf(first), await stateOf(second)]).toEqual(['revoked', 'revoked']);
  },
);

test('--both prints an array for a token that was never rotated, and is refused with --stdin', async () => {
  const { mint, token } = await givenRotated();
  const id = await mint('create', '--name', 'Wiki');
  const { stdout } = await token('revoke', 'Wiki', '--both', '--yes', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ id, state: 'revoked' }]);
  expect(await token('revoke', '--stdin', '--both', '--yes')).toMatchObject({ status: 2 });
});

test('of both tokens named by id, neither is said to be left', async () => {
  const { first, second, token } = await givenRotated();
  expect((await token('revoke', first, second, '--yes')).stderr).not.toContain('still works');
});

test('a name of several owners is refused with all ids, whatever was rotated', async () => {
  const { first, second, token, run, store, acme } = await givenRotated();
  await givenUser(store, acme.id, { email: 'bo@acme.example' });
  const created = await run(['token', 'create', '--name', 'ERP', '--as', 'bo@acme.example', '--json']);
  for (const verb of ['show', 'rotate', 'revoke']) {
    const { status, stderr } = await token(verb, 'ERP', ...(verb === 'revoke' ? ['--yes'] : []));
    expect([verb, status]).toEqual([verb, 5]);
    for (const id of [first, second, JSON.parse(created.stdout).id]) expect(stderr).toContain(id);
  }
});
