import type { AuditAction, AuditEvent } from '../audit/audit-event.ts';
import type { Instant } from '../time/instant.ts';
import type { SigningKey } from './signing-key.ts';

export function keyEvent(
  action: Extract<AuditAction, `key.${string}`>,
  key: Pick<SigningKey, 'id' | 'format'>,
  at: Instant,
): Omit<AuditEvent, 'actor' | 'origin'> {
  return {
    at,
    action,
    subject: { type: 'key', id: key.id },
    accountId: null,
    details: { format: key.format },
  };
}
