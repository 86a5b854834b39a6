import type { OrganizationId } from '@gatehouse/domain/organizations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Customer, type ServedCustomers, serveCustomers } from '../../testing/customers.ts';
import type { PostgresServer } from '../../testing/postgres-server.ts';
import { rememberAnyones } from '../../testing/sabotage.ts';
import { shuffled } from '../../testing/shuffled.ts';
import { startTestServer } from '../../testing/start-test-server.ts';
import { median } from '../../testing/time-comparison.ts';
import { openTimedReads } from '../../testing/timed-reads.ts';

/** Without any knowledge half of the guesses are right, give or take 10: 60 % is four standard deviations away. */
const GUESSES = 400;
const MAX_RIGHT = 0.6;
/** Each guess compares the medians of so many reads of both, so that one pause of the machine decides nothing. */
const READS = 3;
/** On a machine that others use, too. */
const TIMEOUT_MS = 300_000;

const NONE = 987_654_321 as OrganizationId;

let served: ServedCustomers;
let own: Customer;
let foreign: Customer;

beforeAll(async () => {
  served = await serveCustomers();
  [own, foreign] = [await served.givenCustomer(), await served.givenCustomer()];
}, TIMEOUT_MS);
afterAll(() => served[Symbol.asyncDispose](), TIMEOUT_MS);

const pathOf = (id: OrganizationId) => `/api/v1/orgs/${id}`;

/** How many of the guesses which of two organizations exists are right, for the better of the two ways to guess. */
async function shareOfRightGuesses({ url }: PostgresServer, guesses: number): Promise<number> {
  using attacker = openTimedReads(url, own.tokens.admin[0] ?? '');
  using owner = openTimedReads(url, foreign.tokens.admin[0] ?? '');
  const ids = [foreign.organizationId, NONE];
  let faster = 0;
  // The first ones pay for starting.
  for (let guess = -10; guess < guesses; guess += 1) {
    // Its own users go on using it.
    if (guess % 10 === 0) expect((await owner.read(pathOf(foreign.organizationId))).status).toBe(200);
    const times = new Map(ids.map((id) => [id, [] as number[]]));
    for (let round = 0; round < READS; round += 1) {
      for (const id of shuffled(ids)) {
        const { status, milliseconds } = await attacker.read(pathOf(id));
        if (status !== 404) expect.fail(`${status}`);
        times.get(id)?.push(milliseconds);
      }
    }
    const [ofForeign = 0, ofNone = 0] = ids.map((id) => median(times.get(id) ?? []));
    if (guess >= 0 && ofForeign < ofNone) faster += 1;
  }
  return Math.max(faster, guesses - faster) / guesses;
}

describe('how long it takes to find nothing', () => {
  test.each(['remembers', 'remembers nothing'])(
    `does not tell another account's organization from none, on a server that %s: ${GUESSES} guesses`,
    { timeout: TIMEOUT_MS },
    async (how) => {
      const server = how === 'remembers' ? served.server : served.forgetful;
      expect(await shareOfRightGuesses(server, GUESSES)).toBeLessThan(MAX_RIGHT);
    },
  );

  test('is found out to tell where what another account reads is remembered for all', {
    timeout: TIMEOUT_MS,
    // Noise hides what is told, and invents nothing.
    retry: 2,
  }, async () => {
    await using broken = await startTestServer({
      database: served.server.database,
      replace: rememberAnyones,
    });
    expect(await shareOfRightGuesses(broken, 100)).toBeGreaterThan(0.7);
  });
});
