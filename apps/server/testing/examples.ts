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
export const EXAMPLES: Examples = {
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

/** The target that succeeds, for each route of which this is so. */
export function targetsOf(
  facts: ExampleFacts,
  which: (route: Route) => boolean,
  outcome: 'success' | ProblemName = 'success',
): readonly string[] {
  return Object.values<Route>(ROUTES)
    .filter(which)
    .flatMap((route) => {
      const example = exampleOf(route, outcome)?.(facts);
      return example ? [targetOf(route, example)] : [];
    });
}

export const takesToken = ({ rule }: Route) => rule !== undefined;
export const isRead = ({ method }: Route) => method === 'GET';
