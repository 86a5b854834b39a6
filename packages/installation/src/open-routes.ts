import type { ExtensionRoute } from '@gatehouse/domain/health';
import type { Extension } from '@gatehouse/extension-kit';
import type { Route } from '@gatehouse/extension-kit/http';

/** Finds the routes of extensions that are public without saying so. Loads the routes of all extensions. */
export async function findOpenRoutes(extensions: readonly Extension[]): Promise<readonly ExtensionRoute[]> {
  const found = await Promise.all(
    extensions.map(async ({ name, http }) => openRoutesOf(name, (await http?.())?.routes ?? [])),
  );
  return found.flat();
}

/**
 * Returns the routes of an extension that have no rule and do not say that they are public. Today the kit refuses to compile
 * such a route, but an extension that was packed before may have some. They are served to everyone, as before.
 */
export function openRoutesOf(extension: string, routes: readonly Route[]): readonly ExtensionRoute[] {
  return routes
    .filter(({ rule, public: said }) => !rule && said !== true)
    .map(({ method, path }) => ({ extension, route: `${method} ${path}` }));
}
