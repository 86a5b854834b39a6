import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsIn } from '../testing/calls.ts';
import { anInstallation } from '../testing/people.ts';
import { REGISTERED } from '../testing/registered.ts';
import { runHere } from '../testing/run-here.ts';
import { describedCommands, helpOf, pathOf } from './reference.ts';

/** The command line as a process has it, with the example beside the extensions of the installation. */
const resources = { extensions: REGISTERED, catalog: createCatalog([...BUILT_IN, ...REGISTERED]) };

/** The examples name an organization, and the seventh item of a resource. */
const ORGANIZATION = 42;
const TIMES = 7;

const { url, settings, drop } = await anInstallation();
beforeAll(async () => {
  await runHere(settings, ['migrate'], { resources });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into organizations (account_id, name, created_at)
     select 1, 'Works ' || n, now() from generate_series(1, $1::int) n`,
    [ORGANIZATION],
  );
  await client.end();
});
afterAll(drop);

const commands = await describedCommands(REGISTERED);

/** Its examples as arguments; those of a command that asks first get the answer. */
function examplesOf(resource: string) {
  return commands
    .filter((command) => command.parent?.name() === resource)
    .flatMap((command) => {
      const consent = command.options.some(({ long }) => long === '--yes') ? ['--yes'] : [];
      const calls = helpOf(command).examples.flatMap(callsIn);
      return calls.map((words) => ({ path: pathOf(command), args: [...words, ...consent] }));
    });
}

describe.each(REGISTERED.filter(({ command }) => command !== undefined))(
  'the extension $name',
  ({ command }) => {
    test('has commands whose examples PostgreSQL answers, and one at least succeeds', async () => {
      const statuses = new Map<string, number>();
      for (let time = 1; time <= TIMES; time += 1) {
        for (const { path, args } of examplesOf(command?.name ?? '')) {
          const { status, stderr } = await runHere(settings, args, { resources });
          // Refusals, such as of an id that is not there, have others.
          expect([1, 2], `${args.join(' ')}: ${stderr}`).not.toContain(status);
          if (status === 0 || !statuses.has(path)) statuses.set(path, status);
        }
      }
      expect([...statuses.values()], 'exit statuses of its commands').toContain(0);
      if (command?.name === 'shift-note') expect([...statuses.values()]).toEqual([0, 0, 0, 0]);
    });
  },
);
