import { freePorts } from '@gatehouse/test-database';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { commandBlocksOf } from './command-blocks.ts';
import { findInstalledPostgres, startInstalledPostgres } from './installed-postgres.ts';
import { type Machine, openMachine } from './machine.ts';

const DOCUMENT = 'docs/operate/growing.md';
const blocks = new Map(
  commandBlocksOf(DOCUMENT)
    .filter(({ language }) => language === 'sh')
    .map(({ name, text }) => [name.slice(DOCUMENT.length + 2), text]),
);

const postgres = findInstalledPostgres();
if (postgres === undefined) {
  console.warn(`The commands of ${DOCUMENT} do not run: there is no PostgreSQL in /usr/lib/postgresql`);
}

describe.skipIf(postgres === undefined)('on a machine with a PostgreSQL, the guide to many servers', () => {
  const resources = new AsyncDisposableStack();
  let machine: Machine;
  let ports: Record<'first' | 'firstOps' | 'second' | 'secondOps', number>;

  beforeAll(async () => {
    const [first = 0, firstOps = 0, second = 0, secondOps = 0] = await freePorts(4);
    ports = { first, firstOps, second, secondOps };
    machine = resources.adopt(openMachine({ PORT: `${first}`, OPS_PORT: `${firstOps}` }), (each) =>
      each.remove(),
    );
    const database = resources.adopt(await startInstalledPostgres(postgres ?? ''), (each) => each.stop());
    machine.addProgram('sudo', database.sudo);
    const installation = commandBlocksOf('README.md').find(
      ({ name }) => name === 'README.md: Run it for real 1',
    );
    const here = installation?.text.replaceAll('127.0.0.1:5432', `127.0.0.1:${database.port}`) ?? '';
    expect(await machine.run(here, 'secret\nsecret\n')).toMatchObject({ status: 0 });
    resources.adopt(machine.start('npm start'), (each) => each.stop());
    await ready(firstOps);
  }, 180_000);
  afterAll(() => resources.disposeAsync(), 60_000);

  const ready = (port: number) =>
    vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200), {
      timeout: 120_000,
      interval: 200,
    });

  /** Runs a block of the page; only the ports are changed. */
  const run = (name: string) => machine.run(textOf(name));
  const textOf = (name: string) =>
    (blocks.get(name) ?? `echo 'the guide has no block "${name}" any more'; false`)
      .replaceAll('8081', `${ports.firstOps}`)
      .replaceAll('8090', `${ports.second}`)
      .replaceAll('8091', `${ports.secondOps}`);

  test('shows what a request costs', async () => {
    for (let times = 0; times < 3; times += 1) await fetch(`http://127.0.0.1:${ports.first}/openapi.json`);
    const { status, output } = await run('What a request costs you 1');
    expect(status).toBe(0);
    const [, requests, cpu, memory] = /^(\d+) requests, (\d+) µs of CPU each, (\d+) MB\n$/.exec(output) ?? [];
    expect(Number(requests)).toBeGreaterThanOrEqual(3);
    expect(Number(cpu)).toBeGreaterThan(0);
    expect(Number(memory)).toBeGreaterThan(50);
  });

  test('shows connections to the database, and what its tables take', async () => {
    const connections = await run('What size of database 1');
    const [, allowed, open, ours] = /^ (\d+) +\| +(\d+) \| +(\d+)$/m.exec(connections.output) ?? [];
    expect(Number(allowed)).toBe(100);
    expect(Number(open)).toBeGreaterThanOrEqual(Number(ours));
    expect(Number(ours)).toBeGreaterThanOrEqual(2);
    const tables = await run('What size of database 2');
    expect(tables).toEqual({
      status: 0,
      output: expect.stringMatching(/^ audit_events +\| \d+ kB +\| +\d+$/m),
    });
  });

  test('adds a server, which is ready, and the installation needs no attention', async () => {
    await using _ = resourcesOf(machine.start(textOf('Add a server 1')));
    await ready(ports.secondOps);
    const { status, output } = await run('Add a server 2');
    expect(output).toMatch(/^ready$/m);
    expect(output).not.toMatch(/change feed/i);
    expect([0, 6]).toContain(status);
  }, 120_000);

  test('has no block that is not run here', () => {
    const run = ['What a request costs you 1', 'What size of database 1', 'What size of database 2'];
    expect([...blocks.keys()]).toEqual([...run, 'Add a server 1', 'Add a server 2']);
  });
});

function resourcesOf(started: ReturnType<Machine['start']>): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => started.stop() };
}
