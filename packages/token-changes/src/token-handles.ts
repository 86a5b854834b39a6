import { createHmac } from 'node:crypto';
import { type Awaitable, andThen } from '@gatehouse/domain';
import type {
  ActiveToken,
  Handle,
  HandleSecret,
  ServiceName,
  ServiceRepository,
  ToldKind,
} from '@gatehouse/domain/services';

/** Returns the handle that stands for a record in what one service is told. */
export type HandleOf = (kind: ToldKind, id: string | number) => Handle;

/** A record on which an answer about a token depends. */
export interface Dependency {
  readonly kind: ToldKind;
  readonly handle: Handle;
}

export type TokenHandles = ReturnType<typeof createTokenHandles>;

/** The number of bytes of a handle. */
const HANDLE_BYTES = 16;

/** The number of handles of a service that are kept, because tokens share owners, accounts and keys. */
const MAX_KEPT_HANDLES = 10_000;

/** Makes the handles of every service. The secret of the installation is read once. */
export function createTokenHandles({ services }: { services: Pick<ServiceRepository, 'findHandleSecret'> }) {
  const made = new Map<ServiceName, HandleOf>();
  let secret: HandleSecret | undefined;
  let reading: Promise<HandleSecret> | undefined;

  function findSecret(): Awaitable<HandleSecret> {
    if (secret) return secret;
    reading ??= services
      .findHandleSecret()
      .then((found) => {
        secret = found;
        return found;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  function of(service: ServiceName): Awaitable<HandleOf> {
    return andThen(findSecret(), (found) => {
      const handleOf = made.get(service) ?? handlesUnder(keyOf(found, service));
      made.set(service, handleOf);
      return handleOf;
    });
  }

  return {
    /** Returns the function that makes the handles for a service. */
    of,
    /** Returns all records that decided that a service may accept a token. */
    dependencies: (
      service: ServiceName,
      { caller: { token } }: ActiveToken,
    ): Awaitable<readonly Dependency[]> =>
      andThen(of(service), (handleOf) => {
        const records = [
          ['token', token.id],
          ['user', token.user.id],
          ['account', token.account.id],
          ['key', token.keyId],
          ['service', service],
        ] as const;
        return records.map(([kind, id]) => ({ kind, handle: handleOf(kind, id) }));
      }),
  };
}

const keyOf = (secret: HandleSecret, service: ServiceName) =>
  createHmac('sha256', secret).update(`token-changes:${service}`).digest();

/** Makes handles under the key of a service, and keeps them. */
function handlesUnder(key: Buffer): HandleOf {
  const kept = new Map<string, Handle>();
  return (kind, id) => {
    const record = `${kind}:${id}`;
    const known = kept.get(record);
    if (known !== undefined) return known;
    const mac = createHmac('sha256', key).update(record).digest();
    const handle = mac.toString('base64url', 0, HANDLE_BYTES) as Handle;
    if (kept.size >= MAX_KEPT_HANDLES) kept.clear();
    kept.set(record, handle);
    return handle;
  };
}
