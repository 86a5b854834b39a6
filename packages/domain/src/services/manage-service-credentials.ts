import { authorized, MANAGE_SERVICES } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import { type Expiry, endFrom } from '../tokens/issuing/expiry.ts';
import {
  changedCredential,
  graceFrom,
  replacedFrom,
  sameLife,
  withCredential,
} from './credential-changes.ts';
import type { ServiceName } from './service.ts';
import {
  type CredentialId,
  type CredentialSecret,
  type CredentialState,
  credentialState,
  type ServiceCredential,
} from './service-credential.ts';

type CredentialPorts = Ports<'services' | 'credentialSecrets' | 'clock'>;

/** A new credential with its secret, which is shown once. */
export interface CreatedCredential {
  readonly service: ServiceName;
  readonly credential: ServiceCredential;
  readonly secret: CredentialSecret;
}

/** Creates a credential, with which a service introspects tokens. */
export const createServiceCredential = authorized(
  MANAGE_SERVICES,
  ({ services, credentialSecrets, clock }: CredentialPorts) =>
    async (caller, { service, expiry }: { readonly service: ServiceName; readonly expiry: Expiry }) => {
      const now = clock.now();
      const expiresAt = expiry === 'never' ? ok(null) : endFrom(now, expiry);
      if (!expiresAt.ok) return expiresAt;
      const { credential, secret } = newCredential(credentialSecrets, now, expiresAt.value);
      const updated = await services.update(
        service,
        (before) => ok(withCredential(before, credential)),
        () => {
          const details = { credential_id: credential.id };
          return eventBy(caller, eventOf(now, 'service.credential_created', { id: service }, details));
        },
      );
      return updated.ok ? ok<CreatedCredential>({ service, credential, secret }) : updated;
    },
);

interface RotateCredentialInput {
  readonly service: ServiceName;
  readonly id: CredentialId;
  /** How long the replaced credential is still accepted, in milliseconds. Default: 24 hours. */
  readonly graceMs?: number | undefined;
}

/** Creates a credential that replaces another one. The replaced credential is accepted until the grace period ends. */
export const rotateServiceCredential = authorized(
  MANAGE_SERVICES,
  ({ services, credentialSecrets, clock }: CredentialPorts) =>
    async (caller, { service, id, graceMs }: RotateCredentialInput) => {
      const now = clock.now();
      const end = graceFrom(now, graceMs);
      if (!end.ok) return end;
      const drawn = newCredential(credentialSecrets, now, null);
      const updated = await services.update(
        service,
        (before) => {
          const replaced = before.credentials.find((credential) => credential.id === id);
          if (!replaced) return err({ code: 'credential_not_found' });
          const replacedBy = drawn.credential.id;
          const changed = changedCredential(before, id, (credential) =>
            replacedFrom(credential, now, { end: end.value, replacedBy }),
          );
          if (!changed.ok) return changed;
          return ok(
            withCredential(changed.value, { ...drawn.credential, expiresAt: sameLife(replaced, now) }),
          );
        },
        () => {
          const details = { credential_id: id, successor_id: drawn.credential.id };
          return eventBy(caller, eventOf(now, 'service.credential_rotated', { id: service }, details));
        },
      );
      if (!updated.ok) return updated;
      const { credentials } = updated.value.after;
      const credential = credentials.find((each) => each.id === drawn.credential.id) ?? drawn.credential;
      const replaced = credentials.find((each) => each.id === id) ?? null;
      return ok({ service, credential, secret: drawn.secret, replaced });
    },
);

/** Revokes a credential. From now on it is refused. */
export const revokeServiceCredential = authorized(
  MANAGE_SERVICES,
  ({ services, clock }: Ports<'services' | 'clock'>) =>
    async (caller, { service, id }: { readonly service: ServiceName; readonly id: CredentialId }) => {
      const revokedAt = clock.now();
      const updated = await services.update(
        service,
        (before) =>
          changedCredential(before, id, (credential) =>
            ok(credential.revokedAt === null ? { ...credential, revokedAt } : credential),
          ),
        () => {
          const details = { credential_id: id };
          return eventBy(caller, eventOf(revokedAt, 'service.credential_revoked', { id: service }, details));
        },
      );
      if (!updated.ok) return updated;
      const { before, after } = updated.value;
      return ok({ service, id, already: before === after });
    },
);

/** A credential with its state and its last use. */
export interface CredentialWithUse extends ServiceCredential {
  readonly state: CredentialState;
  /** Null if the credential was never used. */
  readonly lastUsedAt: Instant | null;
  /** The time for which the state was determined. */
  readonly at: Instant;
}

/** Lists all credentials of a service, oldest first. */
export const listServiceCredentials = authorized(
  MANAGE_SERVICES,
  ({ services, clock }: Ports<'services' | 'clock'>) =>
    async (_, name: ServiceName) => {
      const all = await services.list();
      const service = all.find((each) => each.name === name && each.deletedAt === null);
      if (!service) return err({ code: 'service_not_found' });
      const uses = await services.findCredentialUses(service.credentials.map(({ id }) => id));
      const at = clock.now();
      return ok(
        service.credentials.map(
          (credential): CredentialWithUse => ({
            ...credential,
            state: credentialState(credential, at),
            lastUsedAt: uses.get(credential.id) ?? null,
            at,
          }),
        ),
      );
    },
);

function newCredential(
  secrets: Ports<'credentialSecrets'>['credentialSecrets'],
  createdAt: Instant,
  expiresAt: Instant | null,
) {
  const { id, secret } = secrets.create();
  const hash = secrets.hashOf(secret);
  return { secret, credential: { id, hash, createdAt, expiresAt, revokedAt: null, replacedBy: null } };
}
