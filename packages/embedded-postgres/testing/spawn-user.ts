import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A message of the process, one JSON line each. */
export interface Message {
  readonly url?: string;
  readonly incident?: string;
  readonly error?: { readonly name: string; readonly message: string };
}

/** A separate process that has a data folder open. */
export class User {
  readonly process: ChildProcess;
  readonly #messages: AsyncIterator<string>;
  readonly #ended: Promise<unknown[]>;

  constructor(dataDir: string, options: SpawnOptions = {}) {
    const program = fileURLToPath(new URL('user.ts', import.meta.url));
    this.process = spawn(process.execPath, [program, dataDir], {
      // Another account may not be able to enter the tests' working directory.
      cwd: '/',
      ...options,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (this.process.stdout === null) throw new TypeError('stdout is not a pipe');
    this.#messages = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.#ended = once(this.process, 'exit');
  }

  /** Resolves with the next message; the first has the URL, or why there is none. */
  async said(): Promise<Message> {
    const { value, done } = await this.#messages.next();
    if (done === true) throw new Error('the process exited without a message');
    return JSON.parse(value);
  }

  async url(): Promise<string> {
    const message = await this.said();
    if (message.url === undefined) throw new Error(JSON.stringify(message));
    return message.url;
  }

  /** Stops the process and returns its exit status. */
  async leave(): Promise<unknown> {
    this.process.stdin?.end();
    const [status] = await this.#ended;
    return status;
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.#ended;
  }

  async ended(): Promise<unknown[]> {
    return this.#ended;
  }
}
