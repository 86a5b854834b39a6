import { checkNames, createOpenApiDocument, ROUTES } from '@gatehouse/api-contract';
import { ok } from '@gatehouse/domain';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { Route } from '@gatehouse/extension-kit/http';
import { serveRoute } from '../http/served-route.ts';

/**
 * Serves the document, which is made when it is first requested: converting schemas takes longer than all else that a
 * start does for a route.
 *
 * @throws TypeError as `checkNames`
 */
export function getOpenApiDocumentRoute(issuedFormat: TokenFormat, ofExtensions: readonly Route[]) {
  const routes = [...Object.values(ROUTES), ...ofExtensions];
  checkNames(routes);
  let document: ReturnType<typeof createOpenApiDocument> | undefined;
  return serveRoute(ROUTES.getOpenApiDocument, {
    handle() {
      document ??= createOpenApiDocument(issuedFormat, routes);
      return ok(document);
    },
    toBody: (it) => it,
  });
}
