import { type MemoryOptions, type MemoryServer, startInMemory } from './memory-server.ts';
import {
  type DemoServer,
  type PostgresOptions,
  type PostgresServer,
  startOnPostgres,
  startWithDemo,
} from './postgres-server.ts';

/** Creates further data on a started server, and returns what the test needs of it. */
interface Gives<Server, Given> {
  readonly given?: (server: Server) => Promise<Given> | Given;
}

/**
 * Starts a server at any free port of this machine. In memory, unless `database` says otherwise, with the people of
 * `populate`; with `database: 'postgres'`, on a PostgreSQL database of its own with the demo data; with the `database` of such a
 * server, as one more server on it.
 */
export function startTestServer<Given extends object = object>(
  options?: MemoryOptions & { readonly database?: undefined } & Gives<MemoryServer, Given>,
): Promise<MemoryServer & Given>;
export function startTestServer<Given extends object = object>(
  options: PostgresOptions & { readonly database: 'postgres' } & Gives<DemoServer, Given>,
): Promise<DemoServer & Given>;
export function startTestServer<Given extends object = object>(
  options: PostgresOptions & { readonly database: PostgresServer['database'] } & Gives<PostgresServer, Given>,
): Promise<PostgresServer & Given>;
export async function startTestServer(options: AnyOptions = {}): Promise<AsyncDisposable & object> {
  await using starting = new AsyncDisposableStack();
  const server = starting.use(await start(options));
  const given = await options.given?.(server as never);
  starting.move();
  return { ...server, ...given };
}

type AnyOptions = (
  | (MemoryOptions & { readonly database?: undefined })
  | (PostgresOptions & { readonly database: PostgresServer['database'] | 'postgres' })
) &
  Gives<never, object>;

function start(options: AnyOptions) {
  const { given: _, ...others } = options;
  if (others.database === undefined) return startInMemory(others);
  const { database, ...parts } = others;
  return database === 'postgres' ? startWithDemo(parts) : startOnPostgres(database, parts);
}
