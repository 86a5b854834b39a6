import { createHash } from 'node:crypto';
import type { NarrowScope } from '../src/access/index.ts';
import type { Repositories } from '../src/index.ts';
import type {
  CredentialHash,
  CredentialId,
  Service,
  ServiceCredential,
  ServiceName,
  ServiceScope,
} from '../src/services/index.ts';
import { anEvent, aTokenId, START, unwrap } from './fixtures.ts';

let serial = 0;

/** Creates a service that is open to all accounts, with one scope, without storing it. Each has another name. */
export function aService(parts: Partial<Service> = {}): Service {
  serial += 1;
  const { name = `service-${serial}` as ServiceName } = parts;
  return {
    name,
    description: null,
    openTo: 'all',
    scopes: [aServiceScope(`${name}:read`)],
    credentials: [],
    createdAt: START,
    deletedAt: null,
    ...parts,
  };
}

export function aServiceScope(name: NarrowScope, parts: Partial<ServiceScope> = {}): ServiceScope {
  return { name, label: 'Read orders', allows: 'See all orders.', removedAt: null, ...parts };
}

/** Creates a credential without a known secret. Credentials sort by the order of the calls. */
export function aCredential(parts: Partial<ServiceCredential> = {}): ServiceCredential {
  const id = aTokenId() as string as CredentialId;
  const hash = createHash('sha256').update(id).digest('hex') as CredentialHash;
  return { id, hash, createdAt: START, expiresAt: null, revokedAt: null, replacedBy: null, ...parts };
}

/** Stores a service, and returns it. */
export async function givenService<const Parts extends Partial<Service>>(store: Repositories, parts?: Parts) {
  const service = aService(parts);
  unwrap(await store.services.insert(service, anEvent()));
  return service as Service & Parts;
}
