export type { ExampleRequest, ExamplesOf } from './examples.ts';
export { type HandledRoute, handleRoute, type RouteError, type RouteHandling } from './handled-route.ts';
export { named, nameOf } from './names.ts';
export { type OwnProblemOf, outcomesOf, type ProblemOf, problemsOf, type RefusalCodeOf } from './outcomes.ts';
export { type Page, pageOf, pageQuery, pageResult, toPage } from './paging.ts';
export { PROBLEMS, type Problem, type ProblemName, problemOf } from './problems.ts';
export type {
  HeaderDescription,
  HeaderHandling,
  ParameterSchemas,
  Route,
  RouteRequest,
  SuccessBody,
} from './route.ts';
export { defineRoute } from './route.ts';
export { organizationId, PRIVATE, pathId, resourceId, time } from './schemas.ts';
