import type { TokenFormat } from '@gatehouse/domain/tokens';
import { CONNECTIONS } from '../load/plan.ts';
import type { Entrant } from '../load/rounds.ts';
import type { Effort } from '../options.ts';
import { withClient } from '../stage.ts';
import type { Directory } from './directory.ts';
import { createTokensInUse } from './tokens-in-use.ts';

/** Requests that the load generator may have built but not sent when it stops. */
const UNSENT = 4 * CONNECTIONS;
/** Loads are counted in requests; this many for each second of the others. */
const PER_SECOND = 3_000;

/** Creates the tokens of all rounds. Returns loads of which each sends tokens that were never sent before, once each. */
export async function newTokensEachTurn(
  directory: Directory,
  { rounds, seconds }: Effort,
  name: string,
  format?: TokenFormat,
): Promise<Entrant['plan']> {
  const amount = Math.ceil(PER_SECOND * seconds);
  const slice = amount + UNSENT;
  const tokens = await createTokensInUse(directory, slice * (rounds + 1), name, format);
  // Otherwise PostgreSQL would do it during the rounds.
  await withClient(directory.url, async (client) => {
    await client.query('VACUUM (ANALYZE) tokens');
    await client.query('CHECKPOINT');
  });
  const files: string[] = [];
  for (let turn = 0; turn <= rounds; turn++) {
    const own = tokens.slice(turn * slice, (turn + 1) * slice).map(({ request }) => request);
    files.push(await directory.stage.writeRequests(`${name}-${turn}`, own));
  }
  return (turn) => ({
    requests: files[turn] as string,
    pick: 'in-order',
    connections: CONNECTIONS,
    amount,
  });
}
