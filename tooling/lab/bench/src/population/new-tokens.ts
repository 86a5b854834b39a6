import type { TokenFormat } from '@gatehouse/domain/tokens';
import { CONNECTIONS, type LoadRequest } from '../load/plan.ts';
import type { Entrant } from '../load/rounds.ts';
import type { Effort } from '../options.ts';
import { withClient } from '../stage.ts';
import type { Directory } from './directory.ts';
import { createTokensInUse } from './tokens-in-use.ts';

/** Requests that the load generator may have built but not sent when it stops. */
const UNSENT = 4 * CONNECTIONS;
/** These loads are counted in requests, and not in seconds: this many instead of each second. */
const PER_SECOND = 3_000;
/** How many times longer the warm-up is: after 3,000 requests V8 has not compiled all of their code. */
const WARM_UP = 4;

/**
 * Creates the tokens of all rounds. Returns loads; each sends its own tokens, which were never sent before, once each.
 */
export async function newTokensEachTurn(
  directory: Directory,
  effort: Effort,
  name: string,
  format?: TokenFormat,
): Promise<Entrant['plan']> {
  return await eachOnce(directory, effort, name, async (count) => {
    const requests = (await createTokensInUse(directory, count, name, format)).map(({ request }) => request);
    // Otherwise PostgreSQL would do it during the rounds.
    await withClient(directory.url, async (client) => {
      await client.query('VACUUM (ANALYZE) tokens');
      await client.query('CHECKPOINT');
    });
    return requests;
  });
}

/**
 * Returns loads; each sends its own part of the requests, once each. `make` gets the number of requests that all of
 * them need.
 */
export async function eachOnce(
  { stage }: Pick<Directory, 'stage'>,
  { rounds, seconds }: Effort,
  name: string,
  make: (count: number) => Promise<readonly LoadRequest[]>,
): Promise<Entrant['plan']> {
  const amounts = Array.from(
    { length: rounds + 1 },
    (_, turn) => Math.ceil(PER_SECOND * seconds) * (turn === 0 ? WARM_UP : 1),
  );
  const count = amounts.reduce((sum, amount) => sum + amount + UNSENT, 0);
  const requests = [...(await make(count))];
  const files: string[] = [];
  for (const [turn, amount] of amounts.entries()) {
    const own = requests.splice(0, amount + UNSENT);
    files.push(await stage.writeRequests(`${name}-${turn}`, own));
  }
  return (turn) => ({
    requests: files[turn] as string,
    pick: 'in-order',
    connections: CONNECTIONS,
    amount: amounts[turn] as number,
  });
}
