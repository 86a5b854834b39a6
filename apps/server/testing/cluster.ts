import { unwrap } from '@gatehouse/domain/testing';
import type { Instant } from '@gatehouse/domain/time';
import { revokeToken, type TokenId } from '@gatehouse/domain/tokens';
import { createPostgresRepositories, openDatabase } from '@gatehouse/postgres';
import { openSilenceableProxy } from '@gatehouse/test-database';
import { execute } from './execute.ts';
import { OPERATOR, type PostgresOptions, type PostgresServer } from './postgres-server.ts';
import { startTestServer } from './start-test-server.ts';

export interface ApiToken {
  readonly id: TokenId;
  readonly secret: string;
}

interface ClusterOptions extends Pick<PostgresOptions, 'replace'> {
  /** The number of nodes besides the first, whose connections never fail. */
  readonly others?: number;
  /** Which connections go through the proxy. */
  readonly proxied?: 'feed' | 'everything';
}

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/** Several servers on one database, each with its own pool, feed and caches, and a client that revokes. */
export async function openCluster(options: ClusterOptions = {}) {
  const { others: count = 1, proxied, replace } = options;
  const resources = new AsyncDisposableStack();
  const first = resources.use(await startTestServer({ database: 'postgres' }));
  const { database, demo, container } = first;
  const { url, masterKey } = database;
  const proxy = await openSilenceableProxy(url);
  resources.defer(() => proxy.close());
  const others: PostgresServer[] = [];
  while (others.length < count) {
    const node = await startTestServer({
      database: {
        url: proxied === 'everything' ? proxy.url : url,
        listenUrl: proxied === undefined ? url : proxy.url,
        masterKey,
      },
      replace,
    });
    others.push(resources.use(node));
  }
  const beside = openDatabase({ url: url, poolSize: 2 });
  resources.defer(() => beside.close());

  const { actAs, issueToken, rotateToken } = container.services.useCases;
  const admin = unwrap(await actAs(demo.admin.email, OPERATOR));
  const revoke = revokeToken({
    ...createPostgresRepositories(beside),
    clock: { now: () => Date.now() as Instant },
  });
  let serial = 0;

  async function newToken(): Promise<ApiToken> {
    serial += 1;
    const input = { name: `Token ${serial}`, format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
    return toApiToken(unwrap(await issueToken(admin, input)));
  }

  return {
    nodes: [first, ...others] as const,
    others,
    proxy,
    /** The direct URL of the database, which never fails. */
    databaseUrl: url,
    masterKey,
    /** A resource that every token of the cluster may read. */
    path: `/api/v1/orgs/${demo.organizations[0]?.id}`,
    async newTokens(wanted: number) {
      const made: ApiToken[] = [];
      while (made.length < wanted) made.push(await newToken());
      return made;
    },
    /** Revokes on a separate connection. Resolves when the revocation is acknowledged. */
    async revoke({ id }: ApiToken) {
      const revoked = await revoke(admin, { id, reason: null });
      if (!revoked.ok || revoked.value.already) throw new Error('it was not revoked');
    },
    rotate: async ({ id }: ApiToken, graceMs: number) =>
      toApiToken(unwrap(await rotateToken(admin, { id, graceMs }))),
    sql: (statement: string) => execute(url, statement),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function toApiToken({ record, secret }: { record: { id: TokenId }; secret: string }): ApiToken {
  return { id: record.id, secret };
}

/** The time up to which the node has received every change, by its monotonic clock. */
export const heardUpToMs = ({ container }: PostgresServer) => container.services.feed.heardUpTo()?.elapsedMs;

/** Whether the node uses its cache. */
export const isTrusting = ({ container }: PostgresServer): boolean => container.services.feed.state().trusted;
