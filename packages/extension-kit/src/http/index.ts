export type { ExampleRequest, ExamplesOf } from './examples.ts';
export { named, nameOf } from './names.ts';
export { type OwnProblemOf, outcomesOf, type ProblemOf, problemsOf } from './outcomes.ts';
export { type Page, pageOf, pageQuery, toPage } from './paging.ts';
export { type WholeNumber, wholeNumber } from './parameters.ts';
export { PROBLEMS, type Problem, type ProblemName } from './problems.ts';
export {
  defineRoute,
  type ParameterSchemas,
  pathParameters,
  type Route,
  type RouteRequest,
  type SuccessBody,
  type SuccessDescription,
} from './route.ts';
