import type { OwnProblemOf } from './outcomes.ts';
import type { Route } from './route.ts';

/** A request that is answered as the example's name says; what it does not say, the contract tests fill in. */
export interface ExampleRequest {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/**
 * An example for the success of a route and one for each problem that the route names itself. The contract tests make those
 * for all other outcomes from the one that succeeds.
 */
export type ExamplesOf<R extends Route, Example> = {
  readonly [Outcome in 'success' | OwnProblemOf<R>]: Example;
};
