import { type ServeOptions, serveWorld } from './serve-world.ts';

/** Starts a server that delays its key set until the test releases it. */
export async function serveHeldKeySet(options: Omit<ServeOptions, 'replace'> = {}) {
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const served = await serveWorld({
    ...options,
    replace: () => ({
      listPublicKeys: async () => {
        arrived.resolve();
        await gate.promise;
        return [];
      },
    }),
  });
  return { ...served, arrived: arrived.promise, letGo: gate.resolve };
}
