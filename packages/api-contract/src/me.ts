import { SCOPES } from '@gatehouse/domain/access';
import { TOKEN_KINDS } from '@gatehouse/domain/tokens';
import { ROLES } from '@gatehouse/domain/users';
import { z } from 'zod';
import { resourceId } from './resource-id.ts';

const time = z.iso.datetime();

/** Who the token acts for, and the token itself. */
export const meAnswer = z.strictObject({
  id: resourceId,
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  account: z.strictObject({ id: resourceId, name: z.string() }),
  token: z.strictObject({
    id: z.uuid(),
    name: z.string(),
    kind: z.enum(TOKEN_KINDS),
    scopes: z.array(z.enum(SCOPES)),
    created_at: time,
    expires_at: time.nullable(),
    last_used_at: time,
  }),
});

export type MeAnswer = z.infer<typeof meAnswer>;
