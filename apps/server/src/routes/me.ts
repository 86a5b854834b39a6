import type { MeAnswer } from '@gatehouse/api-contract';
import { ok } from '@gatehouse/domain';
import { formatInstant } from '@gatehouse/domain/time';
import { getMe, type Me } from '@gatehouse/domain/users';
import type { Authenticated } from '../authentication.ts';
import { type Header, jsonAnswer } from '../http/answer.ts';
import type { Handler } from '../http/route.ts';

const PRIVATE: Header = ['cache-control', 'private, no-cache'];

/** GET /api/v1/me.json */
export function getMeRoute(authenticated: Authenticated): Handler {
  return authenticated((caller) => {
    const me = getMe(caller);
    return me.ok ? ok(jsonAnswer(JSON.stringify(toBody(me.value)), PRIVATE)) : me;
  });
}

function toBody({ token, lastUsedAt }: Me): MeAnswer {
  const { user, account } = token;
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    account: { id: account.id, name: account.name },
    token: {
      id: token.id,
      name: token.name,
      kind: token.kind,
      scopes: [...token.scopes],
      created_at: formatInstant(token.createdAt),
      expires_at: token.expiresAt === null ? null : formatInstant(token.expiresAt),
      last_used_at: formatInstant(lastUsedAt),
    },
  };
}
