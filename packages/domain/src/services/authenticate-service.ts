import type { RefusedCaller, ServiceCaller } from '../access/caller.ts';
import { type Awaitable, andThen } from '../awaitable.ts';
import type { Ports } from '../ports.ts';
import type { Instant } from '../time/instant.ts';
import type { UsageRecorder } from '../tokens/usage/token-usage.ts';
import type { Service } from './service.ts';
import { type CredentialHash, isAccepted, parseCredentialSecret } from './service-credential.ts';

/**
 * Authenticates a service by its credential. `origin` is the service's IP address. `name` is the name that the service
 * claims, if its kind of authentication has one; it must then be the name of the service.
 */
export type AuthenticateService = (
  secret: string,
  origin: string,
  name?: string,
) => Awaitable<ServiceCaller | RefusedCaller>;

const REFUSED = { kind: 'refused', reason: 'credential_not_accepted' } as const;

export function authenticateService({
  services,
  credentialSecrets,
  clock,
  usage,
}: Ports<'services' | 'credentialSecrets' | 'clock'> & {
  readonly usage: Pick<UsageRecorder, 'usedCredential'>;
}): AuthenticateService {
  return (text, origin, name) => {
    const secret = parseCredentialSecret(text);
    if (secret === undefined) return REFUSED;
    const hash = credentialSecrets.hashOf(secret);
    return andThen(services.list(), (all) => {
      const now = clock.now();
      const found = acceptedCredential(holderOf(all, hash), hash, now);
      if (!found || (name !== undefined && name !== found.service.name)) return REFUSED;
      usage.usedCredential(found.credential.id, now);
      return { kind: 'service', service: found.service.name, credential: hash, origin };
    });
  };
}

/** Finds the credential with this hash if the service exists and the credential is accepted now. */
export function acceptedCredential<S extends Pick<Service, 'credentials' | 'deletedAt'>>(
  service: S | undefined,
  hash: CredentialHash,
  now: Instant,
) {
  const credential = service?.credentials.find((each) => each.hash === hash);
  if (!service || service.deletedAt !== null || !credential || !isAccepted(credential, now)) return undefined;
  return { service, credential };
}

/** The services by the hashes of their credentials, for each list of services, so that a list is indexed once. */
const INDEXES = new WeakMap<readonly Service[], ReadonlyMap<CredentialHash, Service>>();

function holderOf(services: readonly Service[], hash: CredentialHash): Service | undefined {
  const known = INDEXES.get(services);
  if (known) return known.get(hash);
  const index = new Map(
    services.flatMap((service) => service.credentials.map((each) => [each.hash, service])),
  );
  INDEXES.set(services, index);
  return index.get(hash);
}
