import { type ServeOptions, serveWorld } from './serve-world.ts';

/** A server whose key set is not answered before the test lets it go on. */
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
