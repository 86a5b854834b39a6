import { ROUTES } from '@gatehouse/api-contract';
import type { SignIn } from '@gatehouse/domain/sign-in';
import type { TokenFormat } from '@gatehouse/domain/tokens';
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
import { createRecorded, type SignInOutcomePorts } from './composition/recorded-sign-in.ts';
import { type ExtensionRoutes, serveExtension } from './extension-routes.ts';
import { createEndsConnection, type Lifecycle } from './http/lifecycle.ts';
import { describeRoutes } from './routes/openapi.ts';
import { type RoutePorts, serveRoutes } from './routes/routes.ts';

export interface AppPorts
  extends Omit<RequestHandlerOptions, 'corsHeaders' | 'endsConnection' | 'isCrossSite' | 'log'>,
    ServePorts,
    SignInOutcomePorts,
    Omit<RoutePorts, 'signIn'> {
  readonly signIn: SignIn;
  readonly issuedFormat: TokenFormat;
  readonly lifecycle: Readonly<Lifecycle>;
  readonly extensions: readonly ExtensionRoutes[];
  /** The origin in the URL of the web pages. Without it, only browsers on the same machine can use the pages. */
  readonly publicUrl?: string | undefined;
  /** The origins of web pages that may call the API. Default: no origins. */
  readonly corsOrigins?: readonly string[];
  /** The ports of the web pages; undefined with `PAGES=off`. */
  readonly pages?:
    | Omit<PagesPorts, 'describe' | 'findSite' | 'isDraining' | 'issuedFormat' | 'log' | 'recorded'>
    | undefined;
}

/**
 * Creates the handler of all requests: for version 1 of the API, for the routes of extensions, and for the web pages.
 */
export function createApp(ports: AppPorts): App {
  const ofExtensions = ports.extensions.map(({ routes }) => routes.map(({ route }) => route));
  checkExtensionPaths(Object.values(ROUTES), ofExtensions);
  const { publicUrl, corsOrigins = [] } = ports;
  const describe = describeRoutes(ports.issuedFormat, ofExtensions.flat(), publicUrl);
  const recorded = createRecorded(ports);
  const served = [
    ...Object.values(serveRoutes({ ...ports, signIn: recorded(ports.signIn) }, describe)),
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
    ports.pages && createPages({ ...ports, ...ports.pages, recorded, findSite, describe, isDraining }),
  );
}
