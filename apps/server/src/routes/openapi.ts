import { type BearerFormat, createOpenApiDocument, ROUTES } from '@gatehouse/api-contract';
import { ok } from '@gatehouse/domain';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import { serveRoute } from '../http/served-route.ts';

const BEARER_FORMAT = { jwt: 'JWT', paseto: 'PASETO' } as const satisfies Record<TokenFormat, BearerFormat>;

export function getOpenApiDocumentRoute(issuedFormat: TokenFormat) {
  const document = createOpenApiDocument({ bearerFormat: BEARER_FORMAT[issuedFormat] });
  return serveRoute(ROUTES.getOpenApiDocument, { handle: () => ok(document), toBody: (it) => it });
}
