import type { Route } from '@gatehouse/extension-kit/http';

type Routes = readonly Pick<Route, 'operationId' | 'path'>[];

/** Paths of words and of parameters in braces below `/api`, where no page is. The router gives other characters a meaning. */
const PATH = /^\/api(?:\/(?:[\w.~-]+|\{\w+\}))+$/;

/**
 * Checks that the routes of an extension take no request from pages, from built-in routes or from another extension.
 * Within an extension, the router prefers words to parameters, and treats paths that differ only in the names of
 * parameters as one. `endpointsOf` checks the methods of routes with the same path.
 *
 * @throws TypeError if a path is not below /api, or leads where another path leads
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

/** Whether a request fits both paths. */
function areBothFit(one: string, other: string): boolean {
  const segments = other.split('/');
  const pairs = one.split('/').map((segment, index) => [segment, segments[index] ?? ''] as const);
  return pairs.length === segments.length && pairs.every(([a, b]) => a === b || [a, b].some(isParameter));
}

const isParameter = (segment: string) => segment.startsWith('{');

const unnamed = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
