import { createOpenApiDocument, ROUTES } from '@gatehouse/api-contract';
import { ok } from '@gatehouse/domain';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import { serveRoute } from '../http/served-route.ts';

export function getOpenApiDocumentRoute(issuedFormat: TokenFormat) {
  const document = createOpenApiDocument(issuedFormat);
  return serveRoute(ROUTES.getOpenApiDocument, { handle: () => ok(document), toBody: (it) => it });
}
