export { PROBLEMS } from '@gatehouse/extension-kit/http';
export { createOpenApiDocument, type OpenApiDocument } from './openapi/document.ts';
export { checkNames } from './openapi/names.ts';
export type { FieldError } from './openapi/problem-schemas.ts';
export { ROUTES, type Routes } from './routes/index.ts';
