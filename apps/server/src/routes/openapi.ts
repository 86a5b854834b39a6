import { checkNames, createOpenApiDocument, type OpenApiDocument, ROUTES } from '@gatehouse/api-contract';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { Route } from '@gatehouse/extension-kit/http';

/**
 * Makes the document of all routes when it is first needed: converting its schemas is the most expensive part of a
 * route's start.
 *
 * @throws TypeError as `checkNames`
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
