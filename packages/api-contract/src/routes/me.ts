import { READ_ME } from '@gatehouse/domain/access';
import { TOKEN_KINDS } from '@gatehouse/domain/tokens';
import { ROLES, USER_KINDS } from '@gatehouse/domain/users';
import { defineRoute, named, PRIVATE, resourceId, time } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

/**
 * Any text is a valid scope, because a token may have the scope of an extension that was removed. Such a scope allows
 * nothing.
 */
const scope = z
  .string()
  .meta({ description: '`*`, or a resource and what may be done with it.', example: 'orgs:read' });

/** The user that the token acts for, and the token's metadata. */
const me = named(
  'Me',
  z.strictObject({
    id: resourceId,
    kind: z.enum(USER_KINDS).meta({
      description: '`person`, or `service` for a service account: a program, which cannot sign in.',
    }),
    email: z.string().meta({
      description:
        'As it was entered; the user signs in with it. A service account has no address: this is its id and `@service.invalid`.',
      example: 'ada@acme.example',
    }),
    name: z.string().meta({ description: "The user's name, for display.", example: 'Ada Lovelace' }),
    role: z.enum(ROLES).meta({ description: 'Admins manage the account; members see their organizations.' }),
    account: z
      .strictObject({ id: resourceId, name: z.string().meta({ example: 'Acme' }) })
      .meta({ description: 'The account that the user and all its organizations belong to.' }),
    token: z
      .strictObject({
        id: z.uuid().meta({
          description: 'Identifies the token in the audit log and in commands. It may be shown.',
        }),
        name: z.string().meta({
          description: 'What the token is for, as its creator named it.',
          example: 'Nightly export',
        }),
        kind: z.enum(TOKEN_KINDS).meta({
          description: '`api` if an admin created it for an integration, `sign-in` if signing in did.',
        }),
        scopes: z.array(scope).meta({
          description: 'The most that the token allows; it never allows more than its user may do.',
        }),
        created_at: time.meta({ description: 'When the token was created.' }),
        expires_at: time
          .nullable()
          .meta({ description: 'From when it is not accepted; null if it never expires.' }),
        last_used_at: time.meta({ description: 'When it was last used; this request counts.' }),
      })
      .meta({ description: 'The token that was sent.' }),
  }),
);

export const getMe = defineRoute({
  operationId: 'getMe',
  method: 'GET',
  path: '/api/v1/me.json',
  tag: 'Me',
  summary: 'Get the user and the token that are calling',
  description: 'Needs a token with the scope `me:read`.',
  rule: READ_ME,
  success: { status: 200, description: 'The user and the token.', body: me, cacheControl: PRIVATE },
});
