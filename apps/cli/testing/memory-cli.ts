import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as domain from '@gatehouse/domain';
import {
  createFakeKeyEncryption,
  createFakePasswordHasher,
  createFakeTokenSigner,
  createFixedClock,
  createInMemoryRepositories,
  createSequentialTokenIds,
  type FixedClock,
  type RecordedRepositories,
  type Repositories,
  START,
} from '@gatehouse/domain/testing';
import type { Cli } from '../src/cli.ts';
import type { Gatehouse } from '../src/gatehouse.ts';
import { run } from '../src/run.ts';

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface MemoryCli {
  readonly store: RecordedRepositories;
  readonly clock: FixedClock;
  /** The use cases that commands get; a test may put others in their place. */
  readonly gatehouse: Gatehouse;
  /** How many of those that were opened are not closed again. */
  readonly openCount: () => number;
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>;
}

export interface RunOptions {
  readonly stdin?: string | Buffer;
  /** Standard output is a terminal of so many columns. */
  readonly columns?: number;
  /** Standard output, where it is not to be collected. */
  readonly stdout?: Cli['streams']['stdout'];
}

/** The command line on a store in memory, with nobody at a terminal. */
export function createMemoryCli(): MemoryCli {
  const store = createInMemoryRepositories();
  const clock = createFixedClock(START);
  let open = 0;
  const gatehouse: Gatehouse = {
    ...useCases(store, clock),
    [Symbol.asyncDispose]: async () => {
      open -= 1;
    },
  };

  return {
    store,
    clock,
    gatehouse,
    openCount: () => open,
    async run(args, { stdin = '', columns, stdout = new PassThrough() } = {}) {
      const stderr = new PassThrough();
      const input = new PassThrough();
      input.end(stdin);
      const terminal = columns === undefined ? {} : { isTTY: true, columns };
      const cli: Cli = {
        streams: { stdin: input, stdout: Object.assign(stdout, terminal), stderr },
        signal: new AbortController().signal,
        operator: { kind: 'operator', name: 'tester', origin: 'test-machine' },
        defaultFormat: async () => 'paseto',
        async open() {
          open += 1;
          return gatehouse;
        },
        migrate: async () => ({ applied: ['0001-init'] }),
      };
      const said = Promise.all([stdout instanceof PassThrough ? text(stdout) : '', text(stderr)]);
      const status = await run(args, cli);
      stdout.end();
      stderr.end();
      const [printed, noted] = await said;
      return { status, stdout: printed, stderr: noted };
    },
  };
}

function useCases(store: Repositories, clock: domain.Clock): Omit<Gatehouse, typeof Symbol.asyncDispose> {
  const ports = {
    ...store,
    clock,
    passwords: createFakePasswordHasher(),
    signers: domain.TOKEN_FORMATS.map(createFakeTokenSigner),
    encryption: createFakeKeyEncryption(),
    ids: createSequentialTokenIds(),
    issuer: { issuer: 'gatehouse', audience: 'gatehouse-api' },
    maxStalenessMs: 1000,
  };
  return {
    actAs: domain.actAs(ports),
    activateKey: domain.activateKey(ports),
    addMember: domain.addMember(ports),
    createAccount: domain.createAccount(ports),
    createKey: domain.createKey(ports),
    createOrganization: domain.createOrganization(ports),
    createUser: domain.createUser(ports),
    ensureKeys: domain.ensureKeys(ports),
    issueToken: domain.issueToken(ports),
    listAccounts: domain.listAccounts(ports),
    listKeys: domain.listKeys(ports),
    listOrganizations: domain.listOrganizations(ports),
    listTokens: domain.listTokens(ports),
    listUsers: domain.listUsers(ports),
    revokeToken: domain.revokeToken(ports),
    showToken: domain.showToken(ports),
  };
}
