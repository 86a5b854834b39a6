import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { type Cluster, DATABASE } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { endOf, lastFatal, OCCUPIED, programFailure, programOptions, settingFlags } from './programs.ts';

const PROMPT = 'backend> ';
/** The longest wait for an answer, in milliseconds: enough time to replay the write-ahead log of a killed server. */
const ANSWER_MS = 60_000;

const SETTINGS = {
  exit_on_error: 'on',
  // Objects that Gatehouse's role created must not be used instead of PostgreSQL's own objects of the same name.
  search_path: 'pg_catalog',
  // Otherwise the log would show a failed statement with the password in it.
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/**
 * Opens the cluster in single-user mode: with exclusive access as superuser. Meanwhile no server can start on the
 * cluster. Returns undefined if a server or another single-user session uses the cluster.
 */
export async function openSingleUser(cluster: Cluster) {
  const { paths, binaries } = cluster;
  const options = settingFlags({ ...cluster.settings, ...SETTINGS });
  const backend = spawn(binaries.postgres, ['--single', '-D', paths.data, ...options, DATABASE], {
    // The backend exits when its input ends. If this process ends, so does that input.
    ...programOptions(cluster),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A write fails if the backend has exited. The event `close` reports the reason.
  backend.stdin.on('error', () => undefined);
  const ended = endOf(backend, 'close');
  const errors = text(backend.stderr);
  const output = backend.stdout.setEncoding('utf8')[Symbol.asyncIterator]();

  /** Resolves with true when the backend is ready for the next statement, and with false if it exited. */
  async function prompted(): Promise<boolean> {
    const timer = setTimeout(() => backend.kill('SIGQUIT'), ANSWER_MS);
    let heard = '';
    let isOver = false;
    while (!isOver && !heard.endsWith(PROMPT)) {
      const { value = '', done = false } = await output.next();
      heard += value;
      isOver = done;
    }
    clearTimeout(timer);
    return !isOver;
  }

  /** Returns why the backend exited. */
  const reason = async () => lastFatal(await errors, backend.pid) ?? (await ended);

  if (await prompted()) {
    return {
      /** @throws {EmbeddedPostgresError} if PostgreSQL rejects the statement, which also ends the session */
      async run(statement: string): Promise<void> {
        backend.stdin.write(`${statement.replaceAll(/\s*\n\s*/g, ' ').trim()}\n`);
        if (!(await prompted())) {
          throw new EmbeddedPostgresError(`The database could not be set up: ${await reason()}`);
        }
      },
      async [Symbol.asyncDispose](): Promise<void> {
        backend.stdin.end();
        await ended;
      },
    };
  }
  const problem = await reason();
  if (OCCUPIED.test(problem)) return undefined;
  throw await programFailure(cluster, binaries.postgres, `PostgreSQL could not be started: ${problem}`);
}
