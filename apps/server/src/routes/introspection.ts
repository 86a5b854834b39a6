import { isIP } from 'node:net';
import type { Routes } from '@gatehouse/api-contract';
import { type Awaitable, andThen, ok, type Result } from '@gatehouse/domain';
import type { ActiveToken } from '@gatehouse/domain/services';
import { acceptedUntil, type TokenIssuer } from '@gatehouse/domain/tokens';
import type { RouteRequest, SuccessBody } from '@gatehouse/extension-kit/http';
import { plainAddress } from '@gatehouse/front';
import type { Dependency } from '@gatehouse/token-changes';

type Introspection = Routes['introspectToken'];

/** Returns the input of the use case. An address of the client that is no IP address is left out. */
export function toIntrospectionInput({
  token,
  client_address: address,
  conditions = '',
}: RouteRequest<Introspection>['body']) {
  const isAddress = address !== undefined && isIP(address) !== 0;
  return {
    token,
    clientAddress: isAddress ? plainAddress(address) : undefined,
    conditions: conditions.split(' '),
  };
}

/** An active token, with the records on which the answer depends if the service has asked for them. */
interface Introspected extends ActiveToken {
  readonly depends?: readonly Dependency[];
}

type FindDependencies = (active: ActiveToken) => Awaitable<readonly Dependency[]>;

/** Adds the records on which the answer depends, if the token is active. */
export async function withDependencies<E>(
  introspected: Promise<Result<ActiveToken | undefined, E>>,
  find: FindDependencies,
): Promise<Result<Introspected | undefined, E>> {
  const found = await introspected;
  return found.ok ? ok(await dependent(found.value, find)) : found;
}

/** Adds the records on which each answer depends. */
export async function allWithDependencies<E>(
  introspected: Promise<Result<readonly (ActiveToken | undefined)[], E>>,
  find: FindDependencies,
): Promise<Result<readonly (Introspected | undefined)[], E>> {
  const found = await introspected;
  return found.ok ? ok(await Promise.all(found.value.map((each) => dependent(each, find)))) : found;
}

const dependent = (active: ActiveToken | undefined, find: FindDependencies) =>
  active && andThen(find(active), (depends): Introspected => ({ ...active, depends }));

const INACTIVE = { active: false } as const;

/** Returns the body of the answer. It is the same for all tokens that are not active. */
export function toIntrospection(
  active: Introspected | undefined,
  { issuer, audience }: TokenIssuer,
): SuccessBody<Introspection> {
  if (!active) return INACTIVE;
  const { conditions, depends, database = '' } = active;
  const { id, user, account, subject, createdAt, kind, name } = active.caller.token;
  const end = acceptedUntil(active.caller.token);
  return {
    active: true,
    scope: active.scopes.join(' '),
    sub: String(subject),
    client_id: id,
    jti: id,
    iss: issuer,
    aud: audience,
    iat: inSeconds(createdAt),
    ...(end !== null && { exp: inSeconds(end) }),
    token_type: 'Bearer',
    username: user.email,
    gatehouse: {
      account: account.id,
      user: user.id,
      role: user.role,
      kind,
      name,
      ...(conditions && { conditions }),
      ...(depends && { depends: [...depends], database }),
    },
  };
}

/** A time as RFC 7519 writes it (`NumericDate`). It is rounded down, so that no token ends later than it does here. */
const inSeconds = (instant: number) => Math.floor(instant / 1000);
