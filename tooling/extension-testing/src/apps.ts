import {
  givenAccount,
  givenOrganization,
  givenUser,
  type InMemoryRepositories,
} from '@gatehouse/domain/testing';
import type { User } from '@gatehouse/domain/users';
import type { Extension } from '@gatehouse/extension-kit';
import type { Organization } from '@gatehouse/extension-kit/domain';

// The apps depend on every extension, so the test tool of extensions cannot depend on the apps. It loads them by their
// path, as tests start programs by their path.
const SERVER = new URL('../../../apps/server/testing/extension-server.ts', import.meta.url);
const COMMAND_LINE = new URL('../../../apps/cli/testing/memory-cli.ts', import.meta.url);

/** A request, and the user whose token it sends. */
export interface TestRequest {
  /** Default: the admin; null sends no token. */
  readonly as?: 'admin' | 'member' | null;
  /** Default: GET. */
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** A response that was read. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined unless it is JSON. */
  readonly body: unknown;
}

/** A server with one extension, and two accounts. */
export interface TestServer<UseCases> extends AsyncDisposable {
  /** The use cases on the server's store, to create objects that tests request. */
  readonly useCases: UseCases;
  readonly admin: User;
  readonly member: User;
  /** An organization that the member belongs to. */
  readonly shared: Organization;
  /** An organization of the same account that the member does not belong to. */
  readonly closed: Organization;
  /** An organization of another account. */
  readonly foreign: Organization;
  /** Sends a request, and reads the response. */
  ask(path: string, request?: TestRequest): Promise<TestResponse>;
}

/** Starts the server of Gatehouse with an extension, and all stores in memory. Disposing of the result stops it. */
export async function openTestServer<Store, UseCases>(
  extension: Extension<Store, UseCases>,
): Promise<TestServer<UseCases>> {
  const { serveOneExtension } = await import(/* @vite-ignore */ SERVER.href);
  return serveOneExtension(extension);
}

/** How a command ended, and what it printed. */
export interface TestOutcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line with one extension. */
export interface TestCommandLine {
  /** An organization to name in commands. */
  readonly organization: Organization;
  /** An admin of its account, for `--as`. */
  readonly admin: User;
  /** An admin of another account. */
  readonly foreigner: User;
  /** Runs a command of the extension; the arguments are those after its word. */
  run(...args: readonly string[]): Promise<TestOutcome>;
  /** Returns the candidates that the Tab key offers for the last word; the words follow the extension's own. */
  complete(...words: readonly string[]): Promise<readonly string[]>;
}

/** The part of the command line in memory that is used here. */
interface MemoryCli {
  readonly store: InMemoryRepositories;
  run(args: readonly string[]): Promise<TestOutcome>;
}

/** The command line of Gatehouse with an extension, all stores in memory, and without a terminal. */
export async function openTestCommandLine(extension: Extension): Promise<TestCommandLine> {
  const { createMemoryCli } = await import(/* @vite-ignore */ COMMAND_LINE.href);
  const cli: MemoryCli = createMemoryCli({ extensions: [extension] });
  const account = await givenAccount(cli.store, 'Acme');
  const other = await givenAccount(cli.store, 'Globex');
  const word = extension.command?.name ?? '';
  return {
    organization: await givenOrganization(cli.store, account.id),
    admin: await givenUser(cli.store, account.id, { email: 'ada@acme.example' }),
    foreigner: await givenUser(cli.store, other.id, { email: 'eve@globex.example' }),
    run: (...args) => cli.run([word, ...args]),
    async complete(...words) {
      const { stdout } = await cli.run(['__complete', 'fish', '--', word, ...words]);
      // The first line tells the shell what to do with the others, which have a description each.
      return stdout
        .split('\n')
        .slice(1, -1)
        .map((line) => line.replace(/\t.*/, ''));
    },
  };
}
