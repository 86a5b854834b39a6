import type { Route } from '@gatehouse/extension-kit/http';

type Routes = readonly Pick<Route, 'operationId' | 'path'>[];

/**
 * The allowed paths of extensions: words and parameters in braces below `/api`, where no web page is. Other characters
 * are refused, because some have a special meaning for the router.
 */
const PATH = /^\/api(?:\/(?:[\w.~-]+|\{\w+\}))+$/;

/**
 * Checks that no route of an extension matches requests for web pages, built-in routes or another extension. Routes of
 * the same extension may overlap, because the router prefers words to parameters; but their paths must not differ only
 * in the names of parameters. `endpointsOf` checks the methods of routes with the same path.
 *
 * @throws TypeError if a path is not below /api, or matches requests for another path
 */
export function checkExtensionPaths(builtIn: Routes, extensions: readonly Routes[]): void {
  const taken = [...builtIn];
  for (const routes of extensions) {
    for (const { operationId, path } of routes) {
      if (!PATH.test(path))
        throw new TypeError(`${operationId}: ${path} is not /api/ with only words and {parameters} after it`);
      const other =
        taken.find((each) => each.path !== path && areBothFit(each.path, path)) ??
        routes.find((each) => each.path !== path && unnamed(each.path) === unnamed(path));
      if (other) throw new TypeError(`${operationId}: ${path} would get requests for ${other.path}`);
    }
    taken.push(...routes);
  }
}

/** Whether the same request can match both paths. */
function areBothFit(one: string, other: string): boolean {
  const segments = other.split('/');
  const pairs = one.split('/').map((segment, index) => [segment, segments[index] ?? ''] as const);
  return pairs.length === segments.length && pairs.every(([a, b]) => a === b || [a, b].some(isParameter));
}

const isParameter = (segment: string) => segment.startsWith('{');

const unnamed = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
