import type { Settings } from '../stage/node.ts';
import { type Population, populate, settingsOf } from '../stage/population.ts';
import { type PatroniCluster, type PatroniOptions, startPatroniCluster } from './cluster.ts';

/** A cluster whose database is populated, with the settings of servers and commands on it. */
export interface PopulatedCluster extends AsyncDisposable {
  readonly cluster: PatroniCluster;
  readonly population: Population;
  readonly settings: Settings;
}

export async function openPopulatedCluster(options?: PatroniOptions): Promise<PopulatedCluster> {
  await using ending = new AsyncDisposableStack();
  const cluster = ending.use(await startPatroniCluster(options));
  const settings = settingsOf(cluster.url);
  const population = await populate(settings);
  const kept = ending.move();
  return { cluster, population, settings, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
