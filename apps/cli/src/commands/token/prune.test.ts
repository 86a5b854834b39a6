import { UnavailableFault } from '@gatehouse/domain';
import { givenToken, START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { expect, test } from 'vitest';
import { givenAda } from '../../../testing/ada.ts';

const DAY = 86_400_000;
const PRUNE = ['token', 'prune', '--older-than', '90d'];
const ENDED_BEFORE = '2026-04-11T00:00:00.000Z';

/** On day 190: sign-in tokens that ended, one that did not, and an API token that ended. */
async function givenSignIns(ended: number) {
  const cli = await givenAda();
  const expired = { kind: 'sign-in', expiresAt: addMilliseconds(START, 30 * DAY) } as const;
  for (let index = 0; index < ended; index += 1) await givenToken(cli.store, cli.ada, expired);
  await givenToken(cli.store, cli.ada, { kind: 'sign-in', expiresAt: addMilliseconds(START, 400 * DAY) });
  await givenToken(cli.store, cli.ada, { expiresAt: addMilliseconds(START, 30 * DAY) });
  cli.clock.advance(190 * DAY);
  const left = async () => JSON.parse((await cli.run(['token', 'list', '--json'])).stdout).length - 2;
  return { ...cli, left };
}

test('sign-in tokens that ended longer ago are deleted in batches', async () => {
  const { run, left } = await givenSignIns(250);
  const done = await run([...PRUNE, '--yes']);
  expect(done).toEqual({ status: 0, stdout: '', stderr: 'Deleted the records of 250 sign-in tokens.\n' });
  expect(await left()).toBe(0);
  const again = await run([...PRUNE, '--yes', '--json']);
  expect(again).toMatchObject({
    status: 0,
    stderr: '0 sign-in tokens ended before 2026-04-11T00:00:00Z. Nothing was deleted.\n',
  });
  expect(JSON.parse(again.stdout)).toEqual({
    ended_before: ENDED_BEFORE,
    dry_run: false,
    count: 0,
    more: false,
  });
});

test('a dry run only counts them', async () => {
  const { run, left } = await givenSignIns(3);
  const dry = await run([...PRUNE, '--dry-run', '--json']);
  expect(dry).toMatchObject({ status: 0, stderr: expect.stringContaining('3 sign-in tokens ended before') });
  expect(JSON.parse(dry.stdout)).toEqual({
    ended_before: ENDED_BEFORE,
    dry_run: true,
    count: 3,
    more: false,
  });
  expect(await left()).toBe(3);
});

test('without a terminal it needs --yes', async () => {
  const { run, left, openCount } = await givenSignIns(1);
  expect(await run(PRUNE)).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
  expect(await left()).toBe(1);
  expect(openCount()).toBe(0);
});

test.each([[[]], [['--older-than', '0d']], [['--older-than', '90x']], [['--older-than', '']]])(
  '%j is wrong usage',
  async (args) => {
    const { run } = await givenSignIns(0);
    expect(await run(['token', 'prune', '--yes', ...args])).toMatchObject({ status: 2, stdout: '' });
  },
);

test('after an interrupt or a fault it prints what is done, and a second run continues', async () => {
  const { run, gatehouse, left } = await givenSignIns(350);
  const { pruneTokens } = gatehouse;
  const interrupt = new AbortController();
  const inBetween = (happens: () => void) =>
    Object.assign(gatehouse, {
      pruneTokens: (...args: Parameters<typeof pruneTokens>) => {
        Object.assign(gatehouse, {
          pruneTokens: async () => {
            happens();
            return pruneTokens(...args);
          },
        });
        return pruneTokens(...args);
      },
    });
  inBetween(() => {
    throw new UnavailableFault('the database does not answer');
  });
  expect(await run([...PRUNE, '--yes'])).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'Deleted the records of 100 sign-in tokens. Run the command again for the rest.\nerror: the database does not answer\n',
  });
  expect(await left()).toBe(250);
  inBetween(() => interrupt.abort());
  expect(await run([...PRUNE, '--yes'], { signal: interrupt.signal })).toEqual({
    status: 130,
    stdout: '',
    stderr: 'Deleted the records of 200 sign-in tokens. Run the command again for the rest.\nInterrupted.\n',
  });
  expect(await left()).toBe(50);
  expect(await run([...PRUNE, '--yes'])).toMatchObject({ status: 0 });
  expect(await left()).toBe(0);
});
