import { afterEach, expect, it, vi } from 'vitest';
import type { TestProject } from 'vitest/node';

const startTestPostgres = vi.hoisted(() => vi.fn());
vi.mock('./start-test-postgres.ts', () => ({ startTestPostgres }));
const makeClusterTemplate = vi.hoisted(() => vi.fn());
vi.mock('@gatehouse/embedded-postgres/testing', () => ({ makeClusterTemplate }));

const project = () => {
  const provided: Record<string, unknown> = {};
  const provide: TestProject['provide'] = (name, value) => {
    provided[name] = value;
  };
  return { provided, provide };
};

/** Loads the module again, as each project of a run does. */
const setUp = async (provide: TestProject['provide']) => {
  vi.resetModules();
  const { setup } = await import('./global-setup.ts');
  return setup({ provide });
};

afterEach(() => vi.restoreAllMocks());

it('shares one server and one template among the projects of a run, says once which it is, and ends both after the last', async () => {
  const said = vi.spyOn(console, 'log').mockReturnValue();
  const stop = vi.fn(async () => undefined);
  startTestPostgres.mockResolvedValue({ url: 'postgres://there', origin: 'somewhere', stop });
  const remove = vi.fn(async () => undefined);
  makeClusterTemplate.mockResolvedValue({ path: '/template', remove });
  const [one, other] = [project(), project()];
  const tearDowns = [await setUp(one.provide), await setUp(other.provide)];
  const provided = {
    testDatabaseUrl: 'postgres://there',
    testDatabaseOutlivesRun: false,
    clusterTemplate: '/template',
  };
  expect([one.provided, other.provided]).toEqual([provided, provided]);
  for (const make of [startTestPostgres, makeClusterTemplate]) expect(make).toHaveBeenCalledOnce();
  expect(said.mock.calls).toEqual([['PostgreSQL for the tests: somewhere']]);

  await tearDowns[0]?.();
  for (const end of [stop, remove]) expect(end).not.toHaveBeenCalled();
  await tearDowns[1]?.();
  for (const end of [stop, remove]) expect(end).toHaveBeenCalledOnce();
});
