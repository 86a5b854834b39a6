import type { GuardedRequests } from '@gatehouse/extension-kit/domain';

/** Whether a new token would read shift notes for ever. */
export function readsForEver({
  scopes,
  expiresAt,
}: Pick<GuardedRequests['token.create'], 'scopes' | 'expiresAt'>): boolean {
  return expiresAt === null && scopes.includes('shift-notes:read');
}
