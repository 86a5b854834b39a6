import { ROUTES } from '@gatehouse/api-contract';
import { formatInstant, formatInstantOrNull } from '@gatehouse/domain/time';
import { getMe, type Me } from '@gatehouse/domain/users';
import { serveRoute } from '@gatehouse/http';

export const getMeRoute = () => serveRoute(ROUTES.getMe, { handle: ({ caller }) => getMe(caller), toBody });

function toBody({ token, lastUsedAt }: Me) {
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
      expires_at: formatInstantOrNull(token.expiresAt),
      last_used_at: formatInstant(lastUsedAt),
    },
  };
}
