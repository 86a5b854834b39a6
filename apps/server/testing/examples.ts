import { ROUTES, type Routes } from '@gatehouse/api-contract';
import { PASSWORD } from '@gatehouse/domain/testing';
import type { ExampleRequest, ExamplesOf, ProblemName, Route } from '@gatehouse/extension-kit/http';
import type { AppPorts } from '../src/app.ts';

/** What examples ask for; every server under test has it. */
export interface ExampleFacts {
  /** An organization of which the member is one. */
  readonly shared: number;
  /** One of the same account of which the member is none. */
  readonly closed: number;
  /** Another account's. */
  readonly foreign: number;
  /** The admin's, whose password is `PASSWORD` where examples sign in. */
  readonly email: string;
}

export interface Example extends ExampleRequest {
  /** Whose token a route with a rule is given: the admin's by default. */
  readonly as?: 'admin' | 'member';
  /** Sent so often before it is answered as the example says. None by default. */
  readonly after?: number;
  /** Use cases that go wrong meanwhile. */
  readonly replace?: Partial<AppPorts>;
}

type Examples = {
  readonly [Id in keyof Routes]: ExamplesOf<Routes[Id], (facts: ExampleFacts) => Example>;
};

/** For each route, an example of each outcome that does not follow from the one that succeeds. */
const EXAMPLES: Examples = {
  getOrg: {
    success: ({ shared }) => ({ params: { id: shared } }),
    not_allowed: ({ closed }) => ({ as: 'member', params: { id: closed } }),
    not_found: ({ foreign }) => ({ params: { id: foreign } }),
  },
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
  getOpenApiDocument: { success: () => ({}) },
  getJwks: { success: () => ({}) },
  getPaserkKeys: { success: () => ({}) },
};

/** A route's own example of an outcome, if it has one. */
export function exampleOf(
  { operationId }: Route,
  outcome: 'success' | ProblemName,
): ((facts: ExampleFacts) => Example) | undefined {
  const examples: Readonly<Record<string, Record<string, (facts: ExampleFacts) => Example>>> = EXAMPLES;
  return examples[operationId]?.[outcome];
}

/** The target of an example's request. */
export function targetOf({ path }: Route, { params = {}, query }: ExampleRequest): string {
  const filled = path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  return query ? `${filled}?${new URLSearchParams(query)}` : filled;
}

/** A route with the target of one of its examples. */
export interface ExampleTarget {
  readonly route: Route;
  readonly outcome: 'success' | ProblemName;
  readonly target: string;
}

/** The targets of examples that end so, of the routes of which `which` holds. */
export function exampleTargets(
  facts: ExampleFacts,
  which: (route: Route) => boolean,
  outcomes: readonly ExampleTarget['outcome'][] = ['success'],
): readonly ExampleTarget[] {
  return Object.values<Route>(ROUTES)
    .filter(which)
    .flatMap((route) =>
      outcomes.flatMap((outcome) => {
        const example = exampleOf(route, outcome)?.(facts);
        return example ? [{ route, outcome, target: targetOf(route, example) }] : [];
      }),
    );
}

export const isRead = ({ method }: Route) => method === 'GET';
/** Whether it is read with a token. */
export const isTokenRead = (route: Route) => isRead(route) && route.rule !== undefined;
