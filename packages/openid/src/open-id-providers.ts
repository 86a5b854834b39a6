import { err, ok, type Result } from '@gatehouse/domain';
import type { IdentityProviders, ProviderFailure, ProviderId } from '@gatehouse/domain/identity-providers';
import type { Clock, MonotonicClock } from '@gatehouse/domain/time';
import { createFairQueue } from '@gatehouse/queues';
import { authorizationAddress } from './authorization-address.ts';
import { createProviderRequests, type Exchange } from './bounded-fetch.ts';
import { createClient } from './client.ts';
import { discover } from './discovery.ts';
import { ExchangeError } from './exchange-error.ts';
import { failureOf } from './failure-of.ts';
import { readLogOutToken } from './log-out-token.ts';
import { createProviderKeys, fetchKeys } from './provider-keys.ts';
import { redeemCode } from './redeem.ts';
import { remembered } from './remembered.ts';
import { DEFAULT_LIMITS, type ExchangeLimits, type OpenIdProvider } from './settings.ts';
import { testProvider } from './test-provider.ts';

export interface OpenIdOptions {
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  /** Default: `DEFAULT_LIMITS`. */
  readonly limits?: Partial<ExchangeLimits>;
}

/** Creates the port for these providers. None is contacted before it is needed. */
export function createOpenIdProviders(
  providers: readonly OpenIdProvider[],
  options: OpenIdOptions,
): IdentityProviders {
  const connections = new Map(providers.map((provider) => [provider.id, connect(provider, options)]));

  function connectionOf(id: ProviderId): Connection {
    const connection = connections.get(id);
    if (connection === undefined) throw new Error(`the settings have no identity provider ${id}`);
    return connection;
  }

  return {
    all: providers,

    begin: (id, request) => {
      const { provider, limits, exchange, clientFor } = connectionOf(id);
      return exchange(limits.beginMs, async (now) =>
        authorizationAddress(await clientFor(now), provider.scopes, request),
      );
    },

    redeem: (id, query, request) => {
      const { provider, limits, exchange, clientFor, keys } = connectionOf(id);
      return exchange(limits.redeemMs, async (now) => {
        const client = await clientFor(now);
        return redeemCode({ provider, client, keys, exchange: now, clock: options.clock }, query, request);
      });
    },

    readLogOut: (id, token) => {
      const { provider, limits, exchange, keys } = connectionOf(id);
      return exchange(
        limits.beginMs,
        (now) => readLogOutToken({ provider, keys, exchange: now, clock: options.clock }, token),
        'logOuts',
      );
    },

    test: (id, redirectUri) => testProvider(connectionOf(id), redirectUri),
  };
}

export type Connection = ReturnType<typeof connect>;

/** Holds what is remembered about one provider, and bounds its exchanges. */
function connect(provider: OpenIdProvider, { clock, monotonicClock, limits: given }: OpenIdOptions) {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const requests = createProviderRequests(limits, monotonicClock);
  const { concurrency, waiting } = limits;
  const createQueue = () => createFairQueue<'any'>({ concurrency, queued: waiting, queuedPerKey: waiting });
  // Every client can post a log-out token, so a flood of them must not take the places of sign-ins.
  const queues = { signIns: createQueue(), logOuts: createQueue() };
  // Exchanges share these reads, so each has a time limit of its own.
  const shared = () => requests.begin(limits.readMs);
  const discovered = remembered(
    () => discover(provider.issuer, shared()),
    limits.discoveryAgeMs,
    monotonicClock,
  );
  const keys = createProviderKeys(
    async () => fetchKeys((await discovered.get()).metadata.jwks_uri, shared(), limits),
    limits,
    monotonicClock,
  );

  async function clientFor(exchange: Exchange) {
    return createClient(provider, await exchange.within(discovered.get()), exchange, clock);
  }

  async function exchange<T>(
    limitMs: number,
    work: (exchange: Exchange) => Promise<T>,
    queue: keyof typeof queues = 'signIns',
  ): Promise<Result<T, ProviderFailure>> {
    try {
      const done = await queues[queue].run('any', () => work(requests.begin(limitMs)), { waitMs: limitMs });
      if (done.ok) return ok(done.value);
      throw new ExchangeError('provider_unreachable', 'too many exchanges with the provider are under way');
    } catch (error) {
      return err(failureOf(error));
    }
  }

  return { provider, limits, requests, keys, exchange, clientFor, discovered };
}
