import { formatInstant } from '@gatehouse/domain/time';
import type { TokenReport } from '@gatehouse/domain/tokens';
import type { View } from '../output/printer.ts';
import { stateStyle } from '../output/style.ts';
import { shortTime, timeAgo, timeOrNull } from './time.ts';

export const tokenView: View<TokenReport> = {
  document: ({ grant: { token, user }, state, usage: { lastUsedAt, lastRefusal } }) => ({
    id: token.id,
    name: token.name,
    kind: token.kind,
    format: token.format,
    scopes: token.scopes,
    account_id: token.accountId,
    user: { id: user.id, email: user.email },
    created_at: formatInstant(token.createdAt),
    expires_at: timeOrNull(token.expiresAt),
    last_used_at: timeOrNull(lastUsedAt),
    last_refused_at: timeOrNull(lastRefusal?.at ?? null),
    last_refused_reason: lastRefusal?.reason ?? null,
    revoked_at: timeOrNull(token.revocation?.at ?? null),
    state,
  }),
  columns: [
    { title: 'NAME', value: ({ grant }) => grant.token.name, flexible: true },
    { title: 'ID', value: ({ grant }) => grant.token.id },
    { title: 'CREATOR', value: ({ grant }) => grant.user.email, flexible: true },
    { title: 'KIND', value: ({ grant }) => grant.token.kind },
    { title: 'STATE', value: ({ state }) => state, style: ({ state }) => stateStyle(state) },
    { title: 'LAST USED', value: ({ usage, at }) => timeAgo(usage.lastUsedAt, at) },
    { title: 'LAST REFUSED', value: lastRefused },
    { title: 'EXPIRES', value: ({ grant }) => shortTime(grant.token.expiresAt, 'never') },
    { title: 'CREATED', value: ({ grant }) => shortTime(grant.token.createdAt) },
    { title: 'SCOPES', value: ({ grant }) => grant.token.scopes.join(' ') },
    { title: 'FORMAT', value: ({ grant }) => grant.token.format },
    { title: 'ACCOUNT', value: ({ grant }) => String(grant.token.accountId) },
  ],
};

function lastRefused({ usage: { lastRefusal }, at }: TokenReport): string {
  return lastRefusal ? `${timeAgo(lastRefusal.at, at)}: ${lastRefusal.reason}` : '-';
}
