import { err, invalid, ok, type Result } from '../result.ts';
import { type Instant, LAST_INSTANT } from '../time/instant.ts';
import { DEFAULT_GRACE_MS, graceProblem } from '../tokens/rotation/rotation.ts';
import type { Service } from './service.ts';
import { type CredentialId, isAccepted, type ServiceCredential } from './service-credential.ts';

export type CredentialNotFound = { readonly code: 'credential_not_found' };

/** The error if a credential was revoked or has expired, so that it cannot be rotated. */
export type CredentialEnded = { readonly code: 'credential_ended' };

/** The error if a credential was rotated already. `successorId` is the credential that replaces it. */
export type CredentialReplaced = {
  readonly code: 'credential_replaced';
  readonly successorId: CredentialId;
};

export const withCredential = (service: Service, credential: ServiceCredential): Service => ({
  ...service,
  credentials: [...service.credentials, credential],
});

/** Changes one credential of a service. Returns the service itself if `change` returns the credential itself. */
export function changedCredential<E = never>(
  service: Service,
  id: CredentialId,
  change: (credential: ServiceCredential) => Result<ServiceCredential, E>,
): Result<Service, E | CredentialNotFound> {
  const before = service.credentials.find((credential) => credential.id === id);
  if (!before) return err({ code: 'credential_not_found' });
  const after = change(before);
  if (!after.ok) return after;
  if (after.value === before) return ok(service);
  return ok({
    ...service,
    credentials: service.credentials.map((each) => (each === before ? after.value : each)),
  });
}

/**
 * Returns a credential that is replaced. It ends at the given time or at its own end, whichever comes first. A credential
 * is replaced once only, because its expiry no longer tells how long its successor should live.
 */
export function replacedFrom(
  credential: ServiceCredential,
  now: Instant,
  { end, replacedBy }: { readonly end: Instant; readonly replacedBy: CredentialId },
): Result<ServiceCredential, CredentialEnded | CredentialReplaced> {
  if (!isAccepted(credential, now)) return err({ code: 'credential_ended' });
  if (credential.replacedBy !== null)
    return err({ code: 'credential_replaced', successorId: credential.replacedBy });
  const { expiresAt } = credential;
  const endsBefore = expiresAt !== null && expiresAt <= end;
  return ok({ ...credential, expiresAt: endsBefore ? expiresAt : end, replacedBy });
}

/** Returns the expiry of a successor that is created now. It lives as long as the credential that it replaces. */
export function sameLife({ createdAt, expiresAt }: ServiceCredential, now: Instant): Instant | null {
  return expiresAt === null ? null : (Math.min(now + expiresAt - createdAt, LAST_INSTANT) as Instant);
}

/** Returns the time until which a credential that is replaced now is accepted. */
export function graceFrom(now: Instant, graceMs = DEFAULT_GRACE_MS) {
  const problem = graceProblem(graceMs);
  return problem === undefined ? ok((now + graceMs) as Instant) : invalid('grace', problem);
}
