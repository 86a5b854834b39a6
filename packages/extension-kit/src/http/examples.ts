import type { OwnProblemOf, RefusalCodeOf } from './outcomes.ts';
import type { Route } from './route.ts';

/** The parts of an example's request that differ between routes. The contract tests add the rest, such as the token. */
export interface ExampleRequest {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The body, sent as JSON. */
  readonly body?: unknown;
}

/**
 * An example for the success of a route and for each problem that the route declares. The contract tests derive the
 * examples of all other outcomes, such as a missing token, from the example of the success.
 */
export type ExamplesOf<R extends Route, Example> = {
  readonly [Outcome in 'success' | OwnProblemOf<R> | RefusalCodeOf<R>]: Example;
};
