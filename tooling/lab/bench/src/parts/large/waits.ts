import { setTimeout as delay } from 'node:timers/promises';

/** How long each request took, and what was wrong with requests that got no correct answer. */
export interface Waits {
  readonly delaysMs: readonly number[];
  /** The number of failed requests for each reason. */
  readonly failures: ReadonlyMap<string, number>;
}

export interface Clients {
  readonly count: number;
  /** The pause between two requests of a client. */
  readonly pauseMs: number;
  readonly over: AbortSignal;
}

/**
 * Clients ask for the items, one after another, and start over after the last. `ask` returns what was wrong, or
 * undefined.
 */
export async function waitsOf<Item>(
  { count, pauseMs, over }: Clients,
  items: readonly Item[],
  ask: (item: Item) => Promise<string | undefined>,
): Promise<Waits> {
  const delaysMs: number[] = [];
  const failures = new Map<string, number>();
  let asked = 0;
  await Promise.all(
    Array.from({ length: count }, async () => {
      while (!over.aborted) {
        const item = items[asked % items.length] as Item;
        asked += 1;
        const begun = performance.now();
        const wrong = await ask(item).catch(String);
        delaysMs.push(performance.now() - begun);
        if (wrong !== undefined) failures.set(wrong, (failures.get(wrong) ?? 0) + 1);
        await delay(pauseMs);
      }
    }),
  );
  return { delaysMs, failures };
}
