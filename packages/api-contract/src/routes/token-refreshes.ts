import { INTROSPECT_TOKENS } from '@gatehouse/domain/access';
import { CONDITIONS, MAX_REFRESHED } from '@gatehouse/domain/services';
import { parseTokenId } from '@gatehouse/domain/tokens';
import { defineRoute, named } from '@gatehouse/extension-kit/http';
import { z } from 'zod';
import { introspection } from './introspection.ts';

const tokenId = z
  .uuid({ error: 'must be the id of a token' })
  .transform((text, context) => {
    const id = parseTokenId(text);
    if (id !== undefined) return id;
    context.addIssue({ code: 'custom', message: 'must be the id of a token' });
    return z.NEVER;
  })
  .meta({ description: 'The id of a token, as `jti` of its introspection had it.' });

const BETWEEN = `must be 1 to ${MAX_REFRESHED} ids of tokens`;

export const refreshTokens = defineRoute({
  operationId: 'refreshTokens',
  method: 'POST',
  path: '/api/v1/token-refreshes',
  tag: 'Services',
  summary: 'Introspect again tokens that a service remembers',
  description:
    'For a service that remembers answers of introspection, after a change that may concern all of them. It asks by the ids of the tokens. Only tokens that the service has introspected before can be active. No use of a token is counted.',
  rule: INTROSPECT_TOKENS,
  body: named(
    'TokenRefreshRequest',
    z.object(
      {
        tokens: z
          .array(tokenId, { error: 'must be a list' })
          .min(1, BETWEEN)
          .max(MAX_REFRESHED, BETWEEN)
          .refine((ids) => new Set(ids).size === ids.length, 'must not have an id twice')
          .meta({ uniqueItems: true }),
        conditions: z
          .array(z.string(), { error: 'must be a list of strings' })
          .max(20, 'must be at most 20 strings')
          .optional()
          .meta({
            description: `The conditions that the service decides by itself, as in introspection: ${CONDITIONS.join(' ')}.`,
            example: ['networks'],
          }),
      },
      'must be an object',
    ),
  ),
  success: {
    status: 200,
    description: 'The answers of introspection with `depends=1`.',
    body: named(
      'TokenRefresh',
      z.strictObject({
        tokens: z
          .array(introspection)
          .meta({ description: 'An answer for each id of the request, in the same order.' }),
      }),
    ),
    cacheControl: 'no-store',
  },
});
