import { defineRoute, named } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

const openApiDocument = named(
  'OpenApiDocument',
  z.looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) }),
);

export const getOpenApiDocument = defineRoute({
  operationId: 'getOpenApiDocument',
  method: 'GET',
  path: '/openapi.json',
  tag: 'Description',
  summary: 'Get this document',
  description: 'Describes the operations of this server, those of its extensions among them.',
  public: true,
  success: {
    status: 200,
    description: 'This document.',
    body: openApiDocument,
    cacheControl: 'public, max-age=60',
  },
  constant: true,
});
