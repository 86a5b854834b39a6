import type { MeAnswer } from '@gatehouse/api-contract';
import { type Clock, formatInstant, type Grant, getMe, type Instant } from '@gatehouse/domain';
import { type Authenticated, accessRefusal } from '../authentication.ts';
import { type Header, jsonAnswer } from '../http/answer.ts';
import type { Handler } from '../http/route.ts';

const PRIVATE: Header = ['cache-control', 'private, no-cache'];

/** GET /api/v1/me.json */
export function getMeRoute(authenticated: Authenticated, clock: Clock): Handler {
  return authenticated((caller) => {
    const me = getMe(caller);
    if (!me.ok) return accessRefusal(caller, me.error);
    // The last use is this one.
    return jsonAnswer(JSON.stringify(toBody(me.value, clock.now())), PRIVATE);
  });
}

function toBody({ user, account, token }: Grant, lastUsedAt: Instant): MeAnswer {
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
