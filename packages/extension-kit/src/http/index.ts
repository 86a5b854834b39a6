export type { ExampleRequest, ExamplesOf } from './examples.ts';
export { named, nameOf } from './names.ts';
export { type OwnProblemOf, outcomesOf, type ProblemOf, problemsOf } from './outcomes.ts';
export { type Page, pageOf, pageQuery, toPage } from './paging.ts';
export { PROBLEMS, type Problem, type ProblemName } from './problems.ts';
export type { ParameterSchemas, Route, RouteRequest, SuccessBody } from './route.ts';
export { defineRoute } from './route.ts';
