import { READ_ME } from '@gatehouse/domain/access';
import { TOKEN_KINDS } from '@gatehouse/domain/tokens';
import { ROLES } from '@gatehouse/domain/users';
import { defineRoute, named, PRIVATE, resourceId, time } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

/** Also one of an extension that is not there any more: it allows nothing. */
const scope = z
  .string()
  .meta({ description: '`*`, or a resource and what may be done with it.', example: 'orgs:read' });

/** The user that the token acts for, and the token's metadata. */
const me = named(
  'Me',
  z.strictObject({
    id: resourceId,
    email: z.string(),
    name: z.string().meta({ example: 'Ada Lovelace' }),
    role: z.enum(ROLES),
    account: z.strictObject({ id: resourceId, name: z.string().meta({ example: 'Acme' }) }),
    token: z.strictObject({
      id: z.uuid(),
      name: z.string().meta({ example: 'Nightly export' }),
      kind: z.enum(TOKEN_KINDS),
      scopes: z.array(scope),
      created_at: time,
      expires_at: time.nullable(),
      last_used_at: time,
    }),
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
