import { formatInstant, type TokenReport } from '@gatehouse/domain';
import type { View } from '../output/printer.ts';
import { shortTime, timeOrNull } from './time.ts';

export const tokenView: View<TokenReport> = {
  document: ({ grant: { token, user }, state }) => ({
    id: token.id,
    name: token.name,
    kind: token.kind,
    format: token.format,
    scopes: token.scopes,
    account_id: token.accountId,
    user: { id: user.id, email: user.email },
    created_at: formatInstant(token.createdAt),
    expires_at: timeOrNull(token.expiresAt),
    // Uses and refusals are not recorded yet.
    last_used_at: null,
    last_refused_at: null,
    last_refused_reason: null,
    revoked_at: timeOrNull(token.revocation?.at ?? null),
    state,
  }),
  columns: [
    { title: 'ID', value: ({ grant }) => grant.token.id },
    { title: 'NAME', value: ({ grant }) => grant.token.name, flexible: true },
    { title: 'STATE', value: ({ state }) => state },
    { title: 'USER', value: ({ grant }) => grant.user.email, flexible: true },
    { title: 'EXPIRES', value: ({ grant }) => shortTime(grant.token.expiresAt, 'never') },
    { title: 'KIND', value: ({ grant }) => grant.token.kind },
    { title: 'FORMAT', value: ({ grant }) => grant.token.format },
    { title: 'SCOPES', value: ({ grant }) => grant.token.scopes.join(' ') },
    { title: 'ACCOUNT', value: ({ grant }) => String(grant.token.accountId) },
  ],
  details: [
    { title: 'CREATED', value: ({ grant }) => shortTime(grant.token.createdAt) },
    { title: 'REVOKED', value: ({ grant }) => shortTime(grant.token.revocation?.at ?? null) },
    { title: 'REASON', value: ({ grant }) => grant.token.revocation?.reason ?? '-' },
  ],
};
