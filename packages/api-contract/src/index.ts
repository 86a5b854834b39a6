export { PROBLEMS } from '@gatehouse/extension-kit/http';
export { createOpenApiDocument } from './openapi/document.ts';
export { type FieldError, problemSchema } from './problem-schema.ts';
export { ROUTES, type Routes } from './routes/index.ts';
