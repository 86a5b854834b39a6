import type { TokenFormat } from '@gatehouse/domain/tokens';
import { CONNECTIONS, type LoadRequest } from '../load/plan.ts';
import type { Entrant } from '../load/rounds.ts';
import type { Effort } from '../options.ts';
import { withClient } from '../stage.ts';
import type { Directory } from './directory.ts';
import { createTokensInUse } from './tokens-in-use.ts';

/** Requests that the load generator may have built but not sent when it stops. */
const UNSENT = 4 * CONNECTIONS;
/** Loads are counted in requests; this many for each second of the others. */
const PER_SECOND = 3_000;
/** The warm-up is so many times as long: 3,000 requests are too few for V8 to compile what they run. */
const WARM_UP = 4;

/** Creates the tokens of all rounds. Returns loads of which each sends tokens that were never sent before, once each. */
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

/** Returns loads of which each sends other ones of the requests, once each; `make` is told how many all of them need. */
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
