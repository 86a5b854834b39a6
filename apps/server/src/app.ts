import type { GetOrganization } from '@gatehouse/domain/organizations';
import type { SignIn } from '@gatehouse/domain/sign-in';
import type { ListPublicKeys } from '@gatehouse/domain/signing-keys';
import type { AuthenticateToken, TokenFormat, UsageRecorder } from '@gatehouse/domain/tokens';
import type { H3 } from 'h3';
import { createAuthenticated } from './authentication.ts';
import type { ClientAddress } from './http/client-address.ts';
import type { RefusalLog } from './http/refusal-log.ts';
import { createRoutedApp, type RoutedAppOptions } from './http/routed-app.ts';
import { getJwksRoute, getPaserkRoute } from './routes/key-sets.ts';
import { getMeRoute } from './routes/me.ts';
import { getOpenApiRoute } from './routes/openapi.ts';
import { getOrganizationRoute } from './routes/organizations.ts';
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

/** The version 1 interface over the use cases. */
export function createApp(ports: AppPorts): H3 {
  const authenticated = createAuthenticated(ports);
  return createRoutedApp(ports, {
    '/api/v1/orgs/:id': { GET: getOrganizationRoute(authenticated, ports.getOrganization) },
    '/api/v1/auth.json': { POST: signInRoute(ports) },
    '/api/v1/me.json': { GET: getMeRoute(authenticated) },
    '/openapi.json': { GET: getOpenApiRoute(ports.issuedFormat) },
    '/.well-known/jwks.json': { GET: getJwksRoute(ports.listPublicKeys) },
    '/.well-known/paserk.json': { GET: getPaserkRoute(ports.listPublicKeys) },
  });
}
