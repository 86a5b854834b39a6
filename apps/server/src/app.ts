import { type OpenApiDocument, ROUTES, type Routes } from '@gatehouse/api-contract';
import type { GetOrganization } from '@gatehouse/domain/organizations';
import type { ListPublicKeys } from '@gatehouse/domain/signing-keys';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { ServedRoute } from '@gatehouse/http';
import {
  type App,
  checkExtensionPaths,
  createCorsHeaders,
  createIsCrossSite,
  createRequestHandler,
  endpointsOf,
  type RequestHandlerOptions,
  type ServePorts,
} from '@gatehouse/http';
import { createFindSite, createPages, type PagesPorts } from '@gatehouse/pages';
import { type ExtensionRoutes, serveExtension } from './extension-routes.ts';
import { createEndsConnection, type Lifecycle } from './http/lifecycle.ts';
import { getJwksRoute, getPaserkKeysRoute } from './routes/key-sets.ts';
import { getMeRoute } from './routes/me.ts';
import { describeRoutes, getOpenApiDocumentRoute } from './routes/openapi.ts';
import { getOrgRoute } from './routes/organizations.ts';
import { type SignInRoutePorts, signInRoute } from './routes/sign-in.ts';
import { createNoteSignIn, type SignInOutcomePorts } from './sign-in-outcomes.ts';

export interface AppPorts
  extends Omit<RequestHandlerOptions, 'corsHeaders' | 'endsConnection' | 'isCrossSite' | 'log'>,
    ServePorts,
    SignInOutcomePorts,
    Omit<SignInRoutePorts, 'noteSignIn'> {
  readonly getOrganization: GetOrganization;
  readonly listPublicKeys: ListPublicKeys;
  readonly issuedFormat: TokenFormat;
  readonly lifecycle: Readonly<Lifecycle>;
  readonly extensions: readonly ExtensionRoutes[];
  /** The origin at which browsers find the pages. Without it, only browsers on the same machine see pages. */
  readonly publicUrl?: string | undefined;
  /** The origins whose pages may call the API. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** Undefined if there are no pages. */
  readonly pages?:
    | Omit<PagesPorts, 'describe' | 'findSite' | 'isDraining' | 'issuedFormat' | 'log' | 'noteSignIn'>
    | undefined;
}

/** Serves version 1 of the HTTP interface with the use cases, the routes of the extensions, and the pages. */
export function createApp(ports: AppPorts): App {
  const ofExtensions = ports.extensions.map(({ routes }) => routes.map(({ route }) => route));
  checkExtensionPaths(Object.values(ROUTES), ofExtensions);
  const { publicUrl, corsOrigins = [] } = ports;
  const describe = describeRoutes(ports.issuedFormat, ofExtensions.flat(), publicUrl);
  const noteSignIn = createNoteSignIn(ports);
  const served = [
    ...Object.values(serveRoutes({ ...ports, noteSignIn }, describe)),
    ...ports.extensions.flatMap(serveExtension),
  ];
  const routes = endpointsOf(ports, served);
  const findSite = createFindSite(publicUrl);
  const isDraining = () => ports.lifecycle.stage === 'draining';
  return createRequestHandler(
    {
      ...ports,
      endsConnection: createEndsConnection(ports.lifecycle),
      corsHeaders: corsOrigins.length > 0 ? createCorsHeaders(corsOrigins) : undefined,
      isCrossSite: createIsCrossSite(
        (request) => {
          const site = findSite(request);
          return typeof site === 'string' ? undefined : site.origin;
        },
        publicUrl === undefined ? corsOrigins : [publicUrl, ...corsOrigins],
      ),
    },
    routes,
    ports.pages && createPages({ ...ports, ...ports.pages, noteSignIn, findSite, describe, isDraining }),
  );
}

/** Every route of the interface; a missing one does not compile. */
function serveRoutes(
  ports: AppPorts & SignInRoutePorts,
  describe: () => OpenApiDocument,
): { readonly [Id in keyof Routes]: ServedRoute<Routes[Id]> } {
  return {
    getOrg: getOrgRoute(ports.getOrganization),
    signIn: signInRoute(ports),
    getMe: getMeRoute(),
    getOpenApiDocument: getOpenApiDocumentRoute(describe),
    getJwks: getJwksRoute(ports.listPublicKeys),
    getPaserkKeys: getPaserkKeysRoute(ports.listPublicKeys),
  };
}
