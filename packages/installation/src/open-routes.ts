import type { ExtensionRoute } from '@gatehouse/domain/health';
import type { Extension } from '@gatehouse/extension-kit';
import type { Route } from '@gatehouse/extension-kit/http';

/**
 * Finds the routes of extensions that everyone can call although they do not declare themselves public. Loads the
 * routes of all extensions for this.
 */
export async function findOpenRoutes(extensions: readonly Extension[]): Promise<readonly ExtensionRoute[]> {
  const found = await Promise.all(
    extensions.map(async ({ name, http }) => openRoutesOf(name, (await http?.())?.routes ?? [])),
  );
  return found.flat();
}

/**
 * Returns the routes of an extension that have no rule and do not declare themselves public. With the current extension
 * kit, such a route does not compile, but an extension that was built with an older kit may have some. Everyone can
 * call these routes.
 */
export function openRoutesOf(extension: string, routes: readonly Route[]): readonly ExtensionRoute[] {
  return routes
    .filter(({ rule, public: said }) => !rule && said !== true)
    .map(({ method, path }) => ({ extension, route: `${method} ${path}` }));
}
