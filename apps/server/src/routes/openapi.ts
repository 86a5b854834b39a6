import { createOpenApiDocument, ROUTES } from '@gatehouse/api-contract';
import { ok } from '@gatehouse/domain';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { Route } from '@gatehouse/extension-kit/http';
import { serveRoute } from '../http/served-route.ts';

export function getOpenApiDocumentRoute(issuedFormat: TokenFormat, ofExtensions: readonly Route[]) {
  const document = createOpenApiDocument(issuedFormat, [...Object.values(ROUTES), ...ofExtensions]);
  return serveRoute(ROUTES.getOpenApiDocument, { handle: () => ok(document), toBody: (it) => it });
}
