import type { ExtensionRoute } from '@gatehouse/domain/health';
import type { Extension } from '@gatehouse/extension-kit';
import type { Route } from '@gatehouse/extension-kit/http';

/** Finds the routes of extensions that are public without saying so. Loads the routes of all. */
export async function findOpenRoutes(extensions: readonly Extension[]): Promise<readonly ExtensionRoute[]> {
  const found = await Promise.all(
    extensions.map(async ({ name, http }) => openRoutesOf(name, (await http?.())?.routes ?? [])),
  );
  return found.flat();
}

/**
 * Returns those of an extension, whose routes are loaded. Such a route compiled before the kit demanded `public`, so a packed
 * extension may have one. It is served as it was then: to everyone.
 */
export function openRoutesOf(extension: string, routes: readonly Route[]): readonly ExtensionRoute[] {
  return routes
    .filter(({ rule, public: said }) => !rule && said !== true)
    .map(({ method, path }) => ({ extension, route: `${method} ${path}` }));
}
