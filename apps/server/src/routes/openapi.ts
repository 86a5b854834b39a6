import { type BearerFormat, createOpenApiDocument } from '@gatehouse/api-contract';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import { jsonAnswer } from '../http/answer.ts';
import type { Handler } from '../http/route.ts';

const BEARER_FORMAT = { jwt: 'JWT', paseto: 'PASETO' } as const satisfies Record<TokenFormat, BearerFormat>;

/** GET /openapi.json */
export function getOpenApiRoute(issuedFormat: TokenFormat): Handler {
  const document = createOpenApiDocument({ bearerFormat: BEARER_FORMAT[issuedFormat] });
  const answer = jsonAnswer(JSON.stringify(document), ['cache-control', 'public, max-age=60']);
  return () => answer;
}
