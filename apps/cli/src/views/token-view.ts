import { formatInstantOrNull } from '@gatehouse/domain/time';
import type { TokenStatus } from '@gatehouse/domain/tokens';
import type { View } from '@gatehouse/extension-kit/cli';
import { stateColumn } from '../output/style.ts';
import { documentOf } from './document.ts';
import { ageOrDate, timeAgo, timeColumn } from './time.ts';
import { modeAndNetworks } from './token-networks-view.ts';

export const tokenView: View<TokenStatus> = {
  document: ({ user, state, usage: { lastUsedAt, lastRefusal }, ...token }) => ({
    ...documentOf(token, 'id', 'name', 'kind', 'format', 'scopes', 'accountId'),
    user: { id: user.id, email: user.email },
    ...documentOf(token, 'createdAt', 'expiresAt'),
    last_used_at: formatInstantOrNull(lastUsedAt),
    last_refused_at: formatInstantOrNull(lastRefusal?.at ?? null),
    last_refused_reason: lastRefusal?.reason ?? null,
    revoked_at: formatInstantOrNull(token.revocation?.at ?? null),
    ...modeAndNetworks(token.networks),
    state,
  }),
  empty: 'There are no tokens yet. Create one with `gatehouse token create`.',
  columns: [
    { title: 'NAME', value: (token) => token.name, essential: true, flexible: true },
    { title: 'ID', value: (token) => token.id, essential: true, folds: true },
    {
      title: 'OWNER',
      // Commands take the id of a service account, whose address says less than its name.
      value: ({ user }) => (user.kind === 'service' ? `${user.name} (${user.id})` : user.email),
      essential: true,
      folds: true,
    },
    { title: 'KIND', value: (token) => token.kind },
    stateColumn(({ state }) => state),
    {
      title: 'LAST USED',
      value: ({ usage, at }) => timeAgo(usage.lastUsedAt, at),
      brief: ({ usage, at }) => ageOrDate(usage.lastUsedAt, at),
      essential: true,
    },
    { title: 'LAST REFUSED', value: lastRefused },
    { ...timeColumn('EXPIRES', (token) => token.expiresAt, 'never'), essential: true },
    timeColumn('CREATED', (token) => token.createdAt),
    { title: 'SCOPES', value: (token) => token.scopes.join(' ') },
    { title: 'FORMAT', value: (token) => token.format },
    { title: 'ACCOUNT', value: (token) => String(token.accountId) },
  ],
};

function lastRefused({ usage: { lastRefusal }, at }: TokenStatus): string {
  return lastRefusal ? `${timeAgo(lastRefusal.at, at)}: ${lastRefusal.reason}` : '-';
}
