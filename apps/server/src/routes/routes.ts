import { type OpenApiDocument, ROUTES, type Routes } from '@gatehouse/api-contract';
import { ok } from '@gatehouse/domain';
import type { GetOrganization, ListReadableOrganizations } from '@gatehouse/domain/organizations';
import type {
  introspectToken,
  readTokenChanges,
  refreshTokens,
  reportTokenUses,
  VerifyScope,
  WriteChanges,
} from '@gatehouse/domain/services';
import type { SignIn } from '@gatehouse/domain/sign-in';
import type { ListPublicKeys } from '@gatehouse/domain/signing-keys';
import { formatInstant, formatInstantOrNull } from '@gatehouse/domain/time';
import type { TokenFormat, TokenIssuer } from '@gatehouse/domain/tokens';
import { getMe } from '@gatehouse/domain/users';
import { pageResult } from '@gatehouse/extension-kit/http';
import { type HttpRequest, type ServedRoute, serveRoute } from '@gatehouse/http';
import type { TokenHandles } from '@gatehouse/token-changes';
import { toJwk } from '@gatehouse/token-jwt';
import { toPaserk } from '@gatehouse/token-paseto';
import {
  allWithDependencies,
  toIntrospection,
  toIntrospectionInput,
  withDependencies,
} from './introspection.ts';
import { toOrganization } from './organization.ts';
import { toUsageReport } from './token-uses.ts';
import { toGatewayHeaders } from './verification.ts';

export interface RoutePorts {
  readonly getOrganization: GetOrganization;
  readonly listReadableOrganizations: ListReadableOrganizations;
  readonly listPublicKeys: ListPublicKeys;
  readonly introspectToken: ReturnType<typeof introspectToken>;
  readonly readTokenChanges: ReturnType<typeof readTokenChanges>;
  readonly refreshTokens: ReturnType<typeof refreshTokens>;
  readonly tokenHandles: Pick<TokenHandles, 'dependencies'>;
  readonly reportTokenUses: ReturnType<typeof reportTokenUses>;
  readonly verifyScope: VerifyScope;
  readonly issuer: TokenIssuer;
  readonly signIn: (
    request: HttpRequest,
    credentials: { readonly email: string; readonly password: string },
  ) => ReturnType<SignIn>;
}

/**
 * Returns the handler of every built-in route. If the handler of a route is missing, this function does not compile.
 */
export function serveRoutes(
  ports: RoutePorts,
  describe: () => OpenApiDocument,
): { readonly [Id in keyof Routes]: ServedRoute<Routes[Id]> } {
  const { getOrganization, listPublicKeys, signIn, introspectToken, verifyScope, issuer } = ports;
  const keysOf = (format: TokenFormat) => async () =>
    ok((await listPublicKeys()).filter((key) => key.format === format));
  return {
    getOrg: serveRoute(ROUTES.getOrg, {
      handle: ({ caller, params }) => getOrganization(caller, params.id),
      toBody: toOrganization,
    }),
    listOrgs: serveRoute(ROUTES.listOrgs, {
      async handle({ caller, query: { limit, cursor } }) {
        const page = { after: cursor, limit: limit + 1 };
        return pageResult(await ports.listReadableOrganizations(caller, page), limit, ({ id }) => id);
      },
      toBody: ({ things, nextCursor }) => ({ items: things.map(toOrganization), next_cursor: nextCursor }),
    }),
    signIn: serveRoute(ROUTES.signIn, {
      handle: ({ body }, request) => signIn(request, body),
      toBody: ({ secret }) => ({ token: secret }),
      toHeaders: ({ expiresAt }) => ({ 'X-Token-Expires-At': formatInstant(expiresAt) }),
    }),
    getMe: serveRoute(ROUTES.getMe, {
      handle: ({ caller }) => getMe(caller),
      toBody: ({ token, lastUsedAt }) => ({
        id: token.user.id,
        kind: token.user.kind,
        email: token.user.email,
        name: token.user.name,
        role: token.user.role,
        account: { id: token.account.id, name: token.account.name },
        token: {
          id: token.id,
          name: token.name,
          kind: token.kind,
          scopes: [...token.scopes],
          created_at: formatInstant(token.createdAt),
          expires_at: formatInstantOrNull(token.expiresAt),
          last_used_at: formatInstant(lastUsedAt),
        },
      }),
    }),
    introspectToken: serveRoute(ROUTES.introspectToken, {
      handle({ caller, body }) {
        const introspected = introspectToken(caller, toIntrospectionInput(body));
        if (body.depends !== '1') return introspected;
        const { service } = caller;
        return withDependencies(introspected, (active) => ports.tokenHandles.dependencies(service, active));
      },
      toBody: (active) => toIntrospection(active, issuer),
    }),
    reportTokenUses: serveRoute(ROUTES.reportTokenUses, {
      handle: ({ caller, body }) => ports.reportTokenUses(caller, toUsageReport(body)),
      toBody: () => undefined,
    }),
    verifyScope: serveRoute(ROUTES.verifyScope, {
      handle: ({ caller, query }) => verifyScope(caller, query.scope),
      toBody: () => undefined,
      toHeaders: toGatewayHeaders,
    }),
    readTokenChanges: serveRoute(ROUTES.readTokenChanges, {
      handle: ({ caller, query }) => ports.readTokenChanges(caller, query.nonce),
      toBody: () => undefined,
      toEvents: (write: WriteChanges) => write,
    }),
    refreshTokens: serveRoute(ROUTES.refreshTokens, {
      handle: ({ caller, body }) =>
        allWithDependencies(ports.refreshTokens(caller, body.tokens, body.conditions), (active) =>
          ports.tokenHandles.dependencies(caller.service, active),
        ),
      toBody: (tokens) => ({ tokens: tokens.map((active) => toIntrospection(active, issuer)) }),
    }),
    getOpenApiDocument: serveRoute(ROUTES.getOpenApiDocument, {
      handle: () => ok(describe()),
      toBody: (document) => document,
    }),
    getJwks: serveRoute(ROUTES.getJwks, {
      handle: keysOf('jwt'),
      toBody: (keys) => ({ keys: keys.map(toJwk) }),
    }),
    getPaserkKeys: serveRoute(ROUTES.getPaserkKeys, {
      handle: keysOf('paseto'),
      toBody: (keys) => ({ keys: keys.map((key) => ({ kid: key.id, key: toPaserk(key) })) }),
    }),
  };
}
