import { afterAll, beforeAll } from 'vitest';
import type { Repositories } from '../../src/index.ts';

/** Opens one store for the enclosing suite. Tests share it, so each creates its own accounts. */
export function openRepositories<Store extends { close(): Promise<void> }>(open: () => Promise<Store>) {
  let store: Store | undefined;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(async () => {
    await store?.close();
  });
  return (): Store => {
    if (!store) throw new Error('the store is open only while tests run');
    return store;
  };
}

/** Returns the newest event of the store. */
export async function newestEvent(store: Repositories) {
  const [entry] = await store.audit.list({ limit: 1 });
  return entry?.event;
}
