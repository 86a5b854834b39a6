import { checkNames, createOpenApiDocument, type OpenApiDocument, ROUTES } from '@gatehouse/api-contract';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { Route } from '@gatehouse/extension-kit/http';

/**
 * Returns a function that returns the OpenAPI document of all routes. The document is made at the first call and not at
 * the start, because converting the schemas takes most of the time that a route adds to the start.
 *
 * @throws TypeError if two different parameters, bodies or problems have the same name
 */
export function describeRoutes(
  issuedFormat: TokenFormat,
  ofExtensions: readonly Route[],
  publicUrl?: string | undefined,
): () => OpenApiDocument {
  const routes = [...Object.values(ROUTES), ...ofExtensions];
  checkNames(routes);
  let document: OpenApiDocument | undefined;
  return () => {
    document ??= createOpenApiDocument(issuedFormat, routes, publicUrl);
    return document;
  };
}
