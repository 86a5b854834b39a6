export { type JwksAnswer, jwksAnswer, type PaserkAnswer, paserkAnswer } from './key-sets.ts';
export { type MeAnswer, meAnswer } from './me.ts';
export { type BearerFormat, createOpenApiDocument, type OpenApiDocument } from './openapi/document.ts';
export { type OrganizationAnswer, organizationAnswer } from './organization.ts';
export { type FieldError, problemAnswer } from './problem-schemas.ts';
export { PROBLEMS, type Problem, type ProblemName } from './problems.ts';
export { type SignInAnswer, type SignInRequest, signInAnswer, signInRequest } from './sign-in.ts';
