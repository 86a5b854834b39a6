import { defineRoute, named } from '@gatehouse/extension-kit/http';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeRoutes } from './openapi.ts';

const returning = (operationId: string, body: z.ZodType) =>
  defineRoute({
    operationId,
    method: 'GET',
    path: `/${operationId}`,
    tag: 'Things',
    summary: 'Get',
    public: true,
    success: { status: 200, description: 'It.', body, cacheControl: 'no-store' },
  });

test('no schema is converted before the document is requested', () => {
  // No JSON Schema describes it, so its conversion throws.
  const describe = describeRoutes('paseto', [returning('getDate', z.date())]);
  expect(describe).toThrow('Date cannot be represented');
});

test('the start is refused if a name in the document would mean two things', () => {
  const routes = [
    returning('getOne', named('Thing', z.int())),
    returning('getOther', named('Thing', z.string())),
  ];
  expect(() => describeRoutes('paseto', routes)).toThrow('two bodies that differ have the name Thing');
});
