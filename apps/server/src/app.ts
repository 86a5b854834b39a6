import { type OpenApiDocument, ROUTES, type Routes } from '@gatehouse/api-contract';
import type { GetOrganization } from '@gatehouse/domain/organizations';
import type { ListPublicKeys } from '@gatehouse/domain/signing-keys';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { H3 } from 'h3';
import { type AuthenticationPorts, createAuthenticated } from './authentication.ts';
import { type ExtensionRoutes, serveExtension } from './extension-routes.ts';
import { checkExtensionPaths } from './http/route-paths.ts';
import { createRoutedApp, type RoutedAppOptions } from './http/routed-app.ts';
import { endpointsOf, type ServedRoute } from './http/served-route.ts';
import { createPages, type PagesPorts } from './pages/pages.ts';
import { getJwksRoute, getPaserkKeysRoute } from './routes/key-sets.ts';
import { getMeRoute } from './routes/me.ts';
import { describeRoutes, getOpenApiDocumentRoute } from './routes/openapi.ts';
import { getOrgRoute } from './routes/organizations.ts';
import { type SignInRoutePorts, signInRoute } from './routes/sign-in.ts';
import type { SignInOutcomePorts } from './sign-in-outcomes.ts';

export interface AppPorts extends RoutedAppOptions, AuthenticationPorts, SignInRoutePorts {
  readonly getOrganization: GetOrganization;
  readonly listPublicKeys: ListPublicKeys;
  readonly issuedFormat: TokenFormat;
  readonly extensions: readonly ExtensionRoutes[];
  /** Undefined where there are no pages. */
  readonly pages?:
    | Omit<PagesPorts, keyof SignInOutcomePorts | 'describe' | 'issuedFormat' | 'lifecycle'>
    | undefined;
}

/** Serves version 1 of the HTTP interface with the use cases, the routes of the extensions, and the pages. */
export function createApp(ports: AppPorts): H3 {
  const ofExtensions = ports.extensions.map(({ routes }) => routes.map(({ route }) => route));
  checkExtensionPaths(Object.values(ROUTES), ofExtensions);
  const describe = describeRoutes(ports.issuedFormat, ofExtensions.flat());
  const served = [
    ...Object.values(serveRoutes(ports, describe)),
    ...ports.extensions.flatMap(serveExtension),
  ];
  const routes = endpointsOf(served, createAuthenticated(ports));
  return createRoutedApp(ports, routes, ports.pages && createPages({ ...ports, ...ports.pages, describe }));
}

/** Every route of the interface; a missing one does not compile. */
function serveRoutes(
  ports: AppPorts,
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
