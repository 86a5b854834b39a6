import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import {
  createInMemoryRepositories,
  createPorts,
  type FixedClock,
  type InMemoryRepositories,
} from '@gatehouse/domain/testing';
import type { Extension } from '@gatehouse/extension-kit';
import { createGuards } from '@gatehouse/installation';
import type { Cli, Gatehouse, Migrated } from '../src/cli.ts';
import { runCommand } from '../src/run-command.ts';
import { createCommandUseCases, type LazyPorts } from '../src/use-cases.ts';
import { FAKE_PROVIDERS } from './fake-providers.ts';

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface MemoryCli {
  readonly store: InMemoryRepositories;
  readonly clock: FixedClock;
  /** The use cases for commands; tests can replace them. */
  readonly gatehouse: Gatehouse;
  /** The number of open connections. */
  readonly openCount: () => number;
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>;
}

interface MemoryCliOptions {
  /** Their stores are in memory, too. Default: none. */
  readonly extensions?: readonly Extension[];
  /** The content of the database. Default: nothing. */
  readonly store?: InMemoryRepositories;
}

interface RunOptions {
  readonly stdin?: string | Buffer;
  /** Makes standard output a terminal with this many columns. */
  readonly columns?: number;
  /** Replaces standard output, which is collected by default. */
  readonly stdout?: Cli['streams']['stdout'];
  readonly signal?: AbortSignal;
  /** The report of `gatehouse migrate`. */
  readonly migrated?: Partial<Migrated>;
}

/** Tables of an extension that is no longer installed. */
const FORMER = {
  'work-orders': { state: 'current', tables: [{ table: 'orders', rows: 14 }] },
} as const;

/** Creates a command line on a store in memory, without a terminal. */
export function createMemoryCli({
  extensions = [],
  store = createInMemoryRepositories(),
}: MemoryCliOptions = {}): MemoryCli {
  const catalog = createCatalog([...BUILT_IN, ...extensions]);
  const stores = new Map<Extension, unknown>();
  const ports = {
    ...createPorts({ store, catalog, extensions: FORMER }),
    guards: createGuards(extensions, { report: () => undefined }),
  };
  const { clock } = ports;
  let open = 0;
  const gatehouse: Gatehouse = {
    ...createCommandUseCases(ports, lazyOf(ports)),
    async useCasesOf(extension) {
      const [domain, { createInMemoryStore }] = await Promise.all([extension.domain(), extension.testing()]);
      if (!stores.has(extension)) stores.set(extension, createInMemoryStore(store));
      return domain.createUseCases({ ...store, clock, store: stores.get(extension) });
    },
    [Symbol.asyncDispose]: async () => {
      open -= 1;
    },
  };

  const connect = async () => {
    open += 1;
    return gatehouse;
  };

  return {
    store,
    clock,
    gatehouse,
    openCount: () => open,
    async run(
      args,
      {
        stdin = '',
        columns,
        migrated,
        stdout = new PassThrough(),
        signal = new AbortController().signal,
      } = {},
    ) {
      const stderr = new PassThrough();
      const input = new PassThrough();
      input.end(stdin);
      const terminal = columns === undefined ? {} : { isTTY: true, columns };
      const cli: Cli = {
        catalog,
        extensions,
        streams: { stdin: input, stdout: Object.assign(stdout, terminal), stderr },
        signal,
        operator: { kind: 'operator', name: 'tester', origin: 'test-machine' },
        path: '/opt/gatehouse/gatehouse',
        defaultFormat: async () => 'paseto',
        identityProviders: async () => FAKE_PROVIDERS,
        askServer: async (path) => ({
          url: `http://127.0.0.1:8081${path}`,
          status: 200,
          body: { status: path.slice(1) },
        }),
        open: connect,
        openAsItIs: connect,
        peek: connect,
        async migrate({ onApplied }) {
          await onApplied('0001-init');
          return {
            applied: ['0001-init'],
            failed: [],
            installed: [],
            unlimitedTokens: 0,
            sharedEmails: [],
            ...migrated,
          };
        },
      };
      const said = Promise.all([stdout instanceof PassThrough ? text(stdout) : '', text(stderr)]);
      const status = await runCommand(args, cli);
      stdout.end();
      stderr.end();
      const [printed, noted] = await said;
      return { status, stdout: printed, stderr: noted };
    },
  };
}

/** The ports that commands load lazily, here made at once. */
function lazyOf(ports: ReturnType<typeof createPorts>): LazyPorts {
  return {
    signers: async () => ports.signers,
    encryption: async () => ports.encryption,
    passwords: async () => ports.passwords,
    sealCryptography: async () => ports.sealCryptography,
    webhookSecrets: async () => ports.webhookSecrets,
    webhookSender: async () => ports.webhookSender,
    probes: async () => ports,
    masterKeys: async () => ({
      ...ports.masterKeys,
      placement: () => ({ kind: 'replaced', path: '/data/master.key', kept: '/data/master.key.2026-01-01' }),
    }),
  };
}
