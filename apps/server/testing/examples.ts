import { ROUTES, type Routes } from '@gatehouse/api-contract';
import { PASSWORD } from '@gatehouse/domain/testing';
import type { ExampleRequest, ExamplesOf, Route } from '@gatehouse/extension-kit/http';
import type { Examples as ExtensionExamples } from '@gatehouse/extension-kit/testing';
import type { AppPorts } from '../src/app.ts';

/** The data that examples refer to, which every server under test has. */
export interface ExampleFacts {
  /** An organization that the member belongs to. */
  readonly shared: number;
  /** An organization of the same account that the member does not belong to. */
  readonly closed: number;
  /** An organization of another account. */
  readonly foreign: number;
  /** The email of the admin, whose password is `PASSWORD`. */
  readonly email: string;
  /** A token for introspection. */
  readonly token: string;
  /** The routes of extensions, with their examples. */
  readonly extensions?: readonly {
    readonly routes: readonly Route[];
    readonly examples: ExtensionExamples;
  }[];
}

export interface Example extends ExampleRequest {
  /** Whose token to send to a route with a rule. Default: the admin's. */
  readonly as?: 'admin' | 'member';
  /** How often to send it before the response is as expected. Default: 0. */
  readonly after?: number;
  /** Ports to replace during the request. */
  readonly replace?: Partial<AppPorts>;
}

type BuiltInExamples = {
  readonly [Id in keyof Routes]: ExamplesOf<Routes[Id], (facts: ExampleFacts) => Example>;
};

/** For each route, an example of each outcome that cannot be derived from the successful one. */
const EXAMPLES: BuiltInExamples = {
  getOrg: {
    success: ({ shared }) => ({ params: { id: shared } }),
    not_allowed: ({ closed }) => ({ as: 'member', params: { id: closed } }),
    not_found: ({ foreign }) => ({ params: { id: foreign } }),
  },
  listOrgs: { success: () => ({}) },
  signIn: {
    success: ({ email }) => ({ body: { email, password: PASSWORD } }),
    credentials_not_accepted: ({ email }) => ({ body: { email, password: 'x' } }),
    too_many_attempts: ({ email }) => ({ after: 100, body: { email, password: 'x' } }),
    overloaded: ({ email }) => ({
      body: { email, password: PASSWORD },
      replace: { signIn: async () => ({ ok: false, error: { code: 'hashing_busy' } }) },
    }),
  },
  getMe: { success: () => ({}) },
  introspectToken: { success: ({ token }) => ({ body: { token } }) },
  refreshTokens: { success: () => ({ body: { tokens: ['0190a5b0-0000-7000-8000-000000000000'] } }) },
  readTokenChanges: {
    success: () => ({ query: { nonce: 'k7Zt1RvQ3yWb9aXe' } }),
    too_many_streams: () => ({
      query: { nonce: 'k7Zt1RvQ3yWb9aXe' },
      replace: { readTokenChanges: async () => ({ ok: false, error: { code: 'too_many_streams' } }) },
    }),
  },
  reportTokenUses: {
    success: () => ({
      body: {
        uses: [{ token: '019ac3f1-7c00-7000-8000-3f5a7d1c2b4e', count: 3, last_at: '2026-01-01T00:00:00Z' }],
      },
    }),
  },
  verifyScope: { success: () => ({ query: { scope: 'orders:read' } }) },
  getOpenApiDocument: { success: () => ({}) },
  getJwks: { success: () => ({}) },
  getPaserkKeys: { success: () => ({}) },
};

/** Returns a route's own example of an outcome, if it has one. */
export function exampleOf(facts: ExampleFacts, { operationId }: Route, outcome: string): Example | undefined {
  const builtIn: Readonly<Record<string, Record<string, (facts: ExampleFacts) => Example>>> = EXAMPLES;
  const ofExtensions = facts.extensions?.map(({ examples }) => examples[operationId]?.[outcome]);
  return builtIn[operationId]?.[outcome]?.(facts) ?? ofExtensions?.find((example) => example !== undefined);
}

/** The built-in routes, and those of the extensions. */
export function routesOf({ extensions = [] }: Pick<ExampleFacts, 'extensions'>): readonly Route[] {
  return [...Object.values(ROUTES), ...extensions.flatMap(({ routes }) => routes)];
}

/** Returns the request target of an example. */
export function targetOf({ path }: Route, { params = {}, query }: ExampleRequest): string {
  const filled = path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  return query ? `${filled}?${new URLSearchParams(query)}` : filled;
}

/** A route with the target of one of its examples. */
export interface ExampleTarget {
  readonly route: Route;
  readonly outcome: string;
  readonly target: string;
}

/** Returns the targets of examples with this outcome, for the routes that satisfy `which`. */
export function exampleTargets(
  facts: ExampleFacts,
  which: (route: Route) => boolean,
  outcomes: readonly string[] = ['success'],
): readonly ExampleTarget[] {
  return routesOf(facts)
    .filter(which)
    .flatMap((route) =>
      outcomes.flatMap((outcome) => {
        const example = exampleOf(facts, route, outcome);
        return example ? [{ route, outcome, target: targetOf(route, example) }] : [];
      }),
    );
}

export const isRead = ({ method }: Route) => method === 'GET';
/**
 * Whether the route is read with any token that has the scope of the route's rule. A route whose request names the scope
 * is not, and a route for services is not: they have tests of their own.
 */
export const isTokenRead = (route: Route) =>
  isRead(route) && route.rule !== undefined && route.rule.scope !== 'asked' && !route.rule.services;
