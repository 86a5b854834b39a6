import { INTROSPECT_TOKENS } from '@gatehouse/domain/access';
import { CONDITIONS, TOLD_KINDS } from '@gatehouse/domain/services';
import { MAX_NETWORKS, NETWORK_MODES, TOKEN_KINDS } from '@gatehouse/domain/tokens';
import { ROLES } from '@gatehouse/domain/users';
import { defineRoute, named, resourceId } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

/** Unknown members are dropped, such as `token_type_hint` (RFC 7662 section 2.1). */
const introspectionRequest = named(
  'IntrospectionRequest',
  z.object(
    {
      token: z
        .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
        .min(1, 'must not be empty')
        .meta({ description: 'The token that the service received.' }),
      client_address: z.string({ error: 'must be a string' }).optional().meta({
        description:
          'The IP address of the client that sent the token to the service; any other text is ignored.',
        example: '203.0.113.7',
      }),
      conditions: z
        .string({ error: 'must be a string' })
        .optional()
        .meta({
          description: `The conditions that the service decides by itself about each request, with spaces between them: ${CONDITIONS.join(' ')}. Other words are ignored. A token with another condition is not active.`,
          example: 'networks',
        }),
      depends: z.string({ error: 'must be a string' }).optional().meta({
        description:
          'With `1`, an active answer also has `gatehouse.depends` and `gatehouse.database`, for a service that follows the changes of tokens. Other texts are ignored.',
        example: '1',
      }),
    },
    'must be an object',
  ),
);

const seconds = (description: string) =>
  z.int().meta({ description: `${description}, in seconds since 1970.`, example: 1_790_000_000 });

/** A token that the calling service may accept (RFC 7662 section 2.2). */
const activeToken = z.strictObject({
  active: z.literal(true),
  scope: z.string().meta({
    description: 'The scopes that the token has at the calling service, with spaces between them.',
    example: 'orders:read orders:write',
  }),
  sub: z.string().meta({
    description: 'The subject in the token. It stays the same if the token gets another owner.',
    example: '42',
  }),
  client_id: z.uuid().meta({ description: 'The id of the token, because each client has its own token.' }),
  jti: z.uuid().meta({ description: 'The id of the token.' }),
  iss: z.string().meta({ description: 'The issuer in the token.', example: 'gatehouse' }),
  aud: z.string().meta({ description: 'The audience in the token.', example: 'gatehouse-api' }),
  iat: seconds('When the token was issued'),
  exp: z.int().optional().meta({
    description: 'From when the token is not accepted, in seconds since 1970; absent if it never expires.',
    example: 1_800_000_000,
  }),
  token_type: z.literal('Bearer'),
  username: z.string().meta({ description: 'The email of the owner.', example: 'ada@acme.example' }),
  gatehouse: z
    .strictObject({
      account: resourceId.meta({ description: 'The id of the account of the owner.' }),
      user: resourceId.meta({ description: 'The id of the owner of the token.' }),
      role: z.enum(ROLES).meta({ description: 'The role of the owner in the account.' }),
      kind: z.enum(TOKEN_KINDS).meta({ description: 'How the token was created.' }),
      name: z.string().meta({
        description: 'What the token is for, as its creator named it.',
        example: 'Nightly export',
      }),
      conditions: z
        .strictObject({
          networks: z
            .strictObject({
              mode: z.enum(NETWORK_MODES).meta({
                description:
                  '`enforced`: refuse a client from elsewhere, and one whose address is not known, with status 403. `report-only`: accept it.',
              }),
              list: z
                .array(z.string())
                .min(1)
                .max(MAX_NETWORKS)
                .meta({ description: 'Networks in CIDR notation.', example: ['203.0.113.0/24'] }),
            })
            .optional()
            .meta({ description: 'The networks from which the token may be used.' }),
        })
        .optional()
        .meta({
          description:
            'The conditions that the service has to decide about each request. It must refuse the token if it does not know one of them. Absent if there are none, and if the request declares none.',
        }),
      depends: z
        .array(
          z.strictObject({
            kind: z.enum(TOLD_KINDS).meta({ description: 'The kind of record.' }),
            handle: z.string().meta({ description: 'Stands for the record in the stream of changes.' }),
          }),
        )
        .optional()
        .meta({ description: 'The records on which the answer depends; only with `depends=1`.' }),
      database: z.string().optional().meta({
        description:
          'Names the database server from which the answer was read; empty if the server cannot find it out. Only with `depends=1`.',
      }),
    })
    .meta({ description: 'Members that RFC 7662 does not have.' }),
});

/** The answer for one token. */
export const introspection = named(
  'Introspection',
  z.discriminatedUnion('active', [activeToken, z.strictObject({ active: z.literal(false) })]),
);

export const introspectToken = defineRoute({
  operationId: 'introspectToken',
  method: 'POST',
  path: '/api/v1/introspect',
  tag: 'Services',
  summary: 'Introspect a token',
  description:
    'For a service that received a token (RFC 7662). The service sends its credential as bearer or by HTTP Basic. A token is active only if it has a scope of the service.',
  rule: INTROSPECT_TOKENS,
  body: introspectionRequest,
  isForm: true,
  success: {
    status: 200,
    description: 'Whether the service may accept the token, and whose token it is.',
    body: introspection,
    cacheControl: 'no-store',
  },
});
