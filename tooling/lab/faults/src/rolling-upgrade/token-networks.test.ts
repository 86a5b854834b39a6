import type { NetworksInput } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { startNodes } from '../failover/start-nodes.ts';
import { adminOf, type IssuedToken } from '../stage/admin.ts';
import { verdictOf } from '../stage/ask.ts';
import type { ServerNode, Settings } from '../stage/node.ts';
import { EMAIL, openPopulated } from '../stage/population.ts';
import { sabotage } from '../stage/sabotage.ts';
import { OPERATOR, openInstallation, unwrap } from '../stage/store.ts';

/** A server of an edition that does not know the networks of tokens. */
const OLDER = sabotage(
  {
    file: '/postgres/src/editions/application-name.ts',
    find: 'export const EDITION = ',
    replace: 'export const EDITION = -1 + ',
  },
  {
    file: '/postgres/src/tokens/networks/network-columns.ts',
    find: 'if (list === null && mode === null) return null;',
    replace: 'if (list !== undefined && mode !== undefined) return null;',
  },
);

/** Networks in which no server of the test is. */
const ELSEWHERE: NetworksInput = { mode: 'enforced', list: ['203.0.113.0/24'] };

/** A server of this edition and an older one on the same database, and the commands of this edition. */
async function duringUpgrade() {
  await using ending = new AsyncDisposableStack();
  const { settings } = ending.use(await openPopulated());
  const store = ending.use(openInstallation(settings));
  const start = async (more: Settings = {}) => {
    const [node] = await startNodes(1, { ...settings, ...more });
    return ending.use(node as ServerNode);
  };
  const [newer, older] = [await start(), await start(OLDER)];
  const token = await (await adminOf(store, EMAIL)).issue();
  const admin = unwrap(await store.actAs(EMAIL, OPERATOR));
  const verdictAt = ({ url }: ServerNode) => verdictOf(`${url}/api/v1/me.json`, token.secret);
  const kept = ending.move();
  return {
    newer,
    older,
    store,
    token,
    limit: ({ id }: IssuedToken) => store.setTokenNetworks(admin, { id, networks: ELSEWHERE }),
    demand: () =>
      store.setTokenPolicy(admin, {
        accountId: admin.accountId,
        changes: { person: { mustHaveNetworks: true } },
      }),
    verdictAt,
    verdicts: () => Promise.all([newer, older].map(verdictAt)),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

test('no networks are set, and no rules, until the last server of an older edition has ended', async () => {
  await using scene = await duringUpgrade();
  const refused = { ok: false, error: { code: 'older_edition_serves' } };
  expect(await scene.limit(scene.token)).toMatchObject(refused);
  expect(await scene.demand()).toMatchObject(refused);
  expect(await scene.verdicts()).toEqual([200, 200]);
  await scene.older[Symbol.asyncDispose]();
  await expect.poll(async () => (await scene.limit(scene.token)).ok, { timeout: 10_000 }).toBe(true);
  expect(await scene.demand()).toMatchObject({ ok: true });
  await expect.poll(() => scene.verdictAt(scene.newer)).toBe(403);
}, 120_000);

test('networks that are set nevertheless are not obeyed by the older server, which is detected', async () => {
  await using scene = await duringUpgrade();
  const { database } = scene.store;
  await database.queries
    .updateTable('tokens')
    .set({ networks: ELSEWHERE.list, networks_mode: ELSEWHERE.mode })
    .where('id', '=', scene.token.id)
    .execute();
  await expect.poll(() => scene.verdicts()).toEqual([403, 200]);
}, 120_000);
