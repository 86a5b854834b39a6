import { checkNames, createOpenApiDocument, type OpenApiDocument, ROUTES } from '@gatehouse/api-contract';
import { ok } from '@gatehouse/domain';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { Route } from '@gatehouse/extension-kit/http';
import { serveRoute } from '@gatehouse/http';

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

export function getOpenApiDocumentRoute(describe: () => OpenApiDocument) {
  return serveRoute(ROUTES.getOpenApiDocument, { handle: () => ok(describe()), toBody: (it) => it });
}
