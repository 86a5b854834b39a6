import type { Operation } from './operation.ts';
import { OPERATIONS, type Operations } from './operations.ts';
import { type CallOptions, type ClientOptions, settingsOf } from './options.ts';
import { send } from './send.ts';

type Method<Described> = Described extends { readonly input: infer Input; readonly answer: infer Given }
  ? [Input] extends [undefined]
    ? (options?: CallOptions) => Promise<Given>
    : (input: Input, options?: CallOptions) => Promise<Given>
  : never;

/** A method for each operation of the API, by its name. */
export type Client = { readonly [Id in keyof Operations]: Method<Operations[Id]> } & {
  /** Another name for `getMe`: returns the user and the token that are calling. */
  readonly me: Method<Operations['getMe']>;
};

/**
 * Creates a client of a server.
 *
 * ```ts
 * const client = createClient({ baseUrl: 'https://gatehouse.example', token: () => readToken() });
 * const answer = await client.getOrg(42);
 * if (answer.status === 200) console.log(answer.body.name);
 * ```
 *
 * Calls resolve with every answer of the API, including problems. They reject with `RequestFailed` if no answer came, with
 * `UnexpectedAnswer` if the answer is not from the API, with the reason of the caller's signal, and with the error that `token`
 * throws. A parameter that would lead to another path, such as `..`, causes a `TypeError`, and nothing is sent.
 *
 * @throws TypeError if an option is wrong
 */
export function createClient(options: ClientOptions): Client {
  const settings = settingsOf(options);
  const methods = Object.entries<Operation>(OPERATIONS).map(([id, operation]) => {
    const call =
      operation.takes === 'nothing'
        ? (more?: CallOptions) => send(settings, id, operation, undefined, more)
        : (input: unknown, more?: CallOptions) => send(settings, id, operation, input, more);
    return [id, call] as const;
  });
  const client = Object.fromEntries(methods);
  // The cast is safe: the type `Operations` and the table `OPERATIONS` are generated from the same OpenAPI document.
  return { ...client, me: client.getMe } as unknown as Client;
}
