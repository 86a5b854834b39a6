import { UnavailableFault } from '@gatehouse/domain';
import { givenToken, START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { expect, test } from 'vitest';
import { givenAda } from '../../../testing/ada.ts';

const DAY = 86_400_000;
const PRUNE = ['token', 'prune', '--older-than', '90d'];

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
      'Deleted the records of 100 sign-in tokens. To delete the other records, run the command again.\nerror: the database does not answer\n',
  });
  expect(await left()).toBe(250);
  inBetween(() => interrupt.abort());
  expect(await run([...PRUNE, '--yes'], { signal: interrupt.signal })).toEqual({
    status: 130,
    stdout: '',
    stderr:
      'Deleted the records of 200 sign-in tokens. To delete the other records, run the command again.\nInterrupted.\n',
  });
  expect(await left()).toBe(50);
  expect(await run([...PRUNE, '--yes'])).toMatchObject({ status: 0 });
  expect(await left()).toBe(0);
});
