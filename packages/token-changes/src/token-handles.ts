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

/** Makes the handles of every service. The secret of the installation is read once. */
export function createTokenHandles({ services }: { services: Pick<ServiceRepository, 'findHandleSecret'> }) {
  const keys = new Map<ServiceName, Buffer>();
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
      const key =
        keys.get(service) ?? createHmac('sha256', found).update(`token-changes:${service}`).digest();
      keys.set(service, key);
      return (kind, id) => {
        const mac = createHmac('sha256', key).update(`${kind}:${id}`).digest();
        return mac.toString('base64url', 0, HANDLE_BYTES) as Handle;
      };
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
