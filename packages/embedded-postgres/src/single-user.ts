import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { findBarrier } from './barrier.ts';
import { type Cluster, DATABASE } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { lastFatal, OCCUPIED } from './server-log.ts';

/** Exclusive access to a cluster as superuser: no server can start on it meanwhile. */
interface SingleUserSession extends AsyncDisposable {
  /** @throws {EmbeddedPostgresError} if PostgreSQL rejects the statement; the session is over then */
  run(statement: string): Promise<void>;
}

const PROMPT = 'backend> ';
/** Long enough to replay the write-ahead log of a killed server. */
const ANSWER_MS = 60_000;

const SETTINGS = {
  exit_on_error: 'on',
  // Objects that our role created must not shadow PostgreSQL's own.
  search_path: 'pg_catalog',
  // The log would show a failed statement with the password in it.
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/** Opens the cluster in single-user mode; undefined while a server or another single-user session uses it. */
export async function openSingleUser(cluster: Cluster): Promise<SingleUserSession | undefined> {
  const { paths, account, binaries } = cluster;
  const settings = Object.entries({ ...cluster.settings, ...SETTINGS });
  const backend = spawn(
    binaries.postgres,
    [
      '--single',
      '-D',
      paths.data,
      ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      DATABASE,
    ],
    {
      ...account,
      cwd: '/',
      // Not reached by Ctrl-C. It exits when its input ends, so also when this process does.
      detached: true,
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const conversation = new Conversation(backend);
  if (await conversation.prompted()) {
    return {
      async run(statement) {
        backend.stdin.write(`${statement.replaceAll(/\s*\n\s*/g, ' ').trim()}\n`);
        if (await conversation.prompted()) return;
        throw new EmbeddedPostgresError(
          'set_up_failed',
          `The database could not be set up: ${conversation.reason()}`,
        );
      },
      async [Symbol.asyncDispose]() {
        backend.stdin.end();
        await conversation.ended;
      },
    };
  }
  await conversation.ended;
  if (OCCUPIED.test(conversation.reason())) return undefined;
  throw (
    (await findBarrier(account, [paths.data, binaries.postgres])) ??
    new EmbeddedPostgresError('start_failed', `PostgreSQL could not be started: ${conversation.reason()}`)
  );
}

class Conversation {
  readonly ended: Promise<void>;
  readonly #backend: ChildProcessByStdio<Writable, Readable, Readable>;
  #heard = '';
  #errors = '';
  #ending: string | undefined;
  #wake = () => {};

  constructor(backend: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.#backend = backend;
    backend.stdout.setEncoding('utf8').on('data', (text) => {
      this.#heard += text;
      this.#wake();
    });
    backend.stderr.setEncoding('utf8').on('data', (text) => {
      this.#errors += text;
    });
    // It exited before it read the input; `exit` reports why.
    backend.stdin.on('error', () => undefined);
    this.ended = once(backend, 'close').then(
      ([status, signal]) => this.#end(`it ended with ${signal ?? status}`),
      (error: unknown) => this.#end(String(error)),
    );
  }

  /** Resolves with whether it is ready for the next statement; false if it exited. */
  async prompted(): Promise<boolean> {
    const timer = setTimeout(() => this.#backend.kill('SIGQUIT'), ANSWER_MS);
    while (!this.#heard.endsWith(PROMPT) && this.#ending === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(timer);
    this.#heard = '';
    return this.#ending === undefined;
  }

  reason(): string {
    return lastFatal(this.#errors, this.#backend.pid) ?? this.#ending ?? 'it goes on';
  }

  #end(how: string): void {
    this.#ending = how;
    this.#wake();
  }
}
