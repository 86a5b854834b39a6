export { type Answer, type Header, jsonAnswer } from './answer.ts';
export { isPlainForm, parseForm } from './body-format.ts';
export { createCorsHeaders } from './cors.ts';
export { createIsCrossSite, isOtherOrigin } from './cross-site.ts';
export { PROBLEM_ANSWERS, problem } from './problem.ts';
export type { RefusalLog } from './refusal.ts';
export { fittingId, type HttpRequest, type ProblemView } from './request.ts';
export {
  type App,
  createRequestHandler,
  type Endpoint,
  type Handler,
  type RequestHandlerOptions,
  type Surface,
} from './request-handler.ts';
export { askedPath, isCanonical } from './request-target.ts';
export type { RequestRecorder } from './respond.ts';
export { checkExtensionPaths } from './route-paths.ts';
export { endpointsOf, type ServedRoute, type ServePorts, serveRoute } from './serve.ts';
export { createSucceed } from './success.ts';
