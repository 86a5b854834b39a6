import type { Routes } from '@gatehouse/api-contract';
import type { GetOrganization } from '@gatehouse/domain/organizations';
import type { SignIn } from '@gatehouse/domain/sign-in';
import type { ListPublicKeys } from '@gatehouse/domain/signing-keys';
import type { AuthenticateToken, TokenFormat, UsageRecorder } from '@gatehouse/domain/tokens';
import type { H3 } from 'h3';
import { createAuthenticated } from './authentication.ts';
import type { ClientAddress } from './http/client-address.ts';
import type { RefusalLog } from './http/refusal-log.ts';
import { createRoutedApp, type RoutedAppOptions } from './http/routed-app.ts';
import { endpointsOf, type ServedRoute } from './http/served-route.ts';
import { getJwksRoute, getPaserkKeysRoute } from './routes/key-sets.ts';
import { getMeRoute } from './routes/me.ts';
import { getOpenApiDocumentRoute } from './routes/openapi.ts';
import { getOrgRoute } from './routes/organizations.ts';
import { type SignInCounter, signInRoute } from './routes/sign-in.ts';

export interface AppPorts extends RoutedAppOptions {
  readonly authenticateToken: AuthenticateToken;
  readonly getOrganization: GetOrganization;
  readonly signIn: SignIn;
  readonly listPublicKeys: ListPublicKeys;
  readonly clientAddress: ClientAddress;
  readonly usage: Pick<UsageRecorder, 'refused'>;
  readonly refusalLog: RefusalLog;
  readonly signIns: SignInCounter;
  readonly issuedFormat: TokenFormat;
}

/** Serves version 1 of the HTTP interface with the use cases. */
export function createApp(ports: AppPorts): H3 {
  return createRoutedApp(ports, endpointsOf(Object.values(serveRoutes(ports)), createAuthenticated(ports)));
}

/** Every route of the interface; a missing one does not compile. */
function serveRoutes(ports: AppPorts): { readonly [Id in keyof Routes]: ServedRoute<Routes[Id]> } {
  return {
    getOrg: getOrgRoute(ports.getOrganization),
    signIn: signInRoute(ports),
    getMe: getMeRoute(),
    getOpenApiDocument: getOpenApiDocumentRoute(ports.issuedFormat),
    getJwks: getJwksRoute(ports.listPublicKeys),
    getPaserkKeys: getPaserkKeysRoute(ports.listPublicKeys),
  };
}
