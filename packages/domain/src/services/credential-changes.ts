import { err, invalid, ok, type Result } from '../result.ts';
import { type Instant, LAST_INSTANT } from '../time/instant.ts';
import { DEFAULT_GRACE_MS, GRACE_MAX_MS } from '../tokens/rotation/rotation.ts';
import type { Service } from './service.ts';
import { type CredentialId, isAccepted, type ServiceCredential } from './service-credential.ts';

export type CredentialNotFound = { readonly code: 'credential_not_found' };

/** The error if a credential was revoked or has expired, so that it cannot be rotated. */
export type CredentialEnded = { readonly code: 'credential_ended' };

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

/** Returns the credential, which ends at the given time or at its own end, whichever comes first. */
export function endingBy(
  credential: ServiceCredential,
  now: Instant,
  end: Instant,
): Result<ServiceCredential, CredentialEnded> {
  if (!isAccepted(credential, now)) return err({ code: 'credential_ended' });
  const { expiresAt } = credential;
  return ok(expiresAt !== null && expiresAt <= end ? credential : { ...credential, expiresAt: end });
}

/** Returns the expiry of a successor that is created now. It lives as long as the credential that it replaces. */
export function sameLife({ createdAt, expiresAt }: ServiceCredential, now: Instant): Instant | null {
  return expiresAt === null ? null : (Math.min(now + expiresAt - createdAt, LAST_INSTANT) as Instant);
}

/** Returns the time until which a credential that is replaced now is accepted. */
export function graceFrom(now: Instant, graceMs = DEFAULT_GRACE_MS) {
  return graceMs >= 0 && graceMs <= GRACE_MAX_MS
    ? ok((now + graceMs) as Instant)
    : invalid('grace', 'must be at most 366 days');
}
