import { authorized, READ_TOKEN_CHANGES, type ServiceCaller } from '../access/index.ts';
import type { Awaitable } from '../awaitable.ts';
import type { Brand } from '../identifiers.ts';
import type { Result } from '../result.ts';

/**
 * A secret of the installation, of 32 bytes, which all servers share. From it each service gets a key of its own for
 * handles, so that no service learns the ids of other accounts from changes.
 */
export type HandleSecret = Brand<Uint8Array, 'HandleSecret'>;

/** The kinds of record whose changes services are told: the records that decide on a token at a service. */
export const TOLD_KINDS = ['token', 'user', 'account', 'key', 'service'] as const;
export type ToldKind = (typeof TOLD_KINDS)[number];

/** Stands for a record in what one service is told, and says nothing of the record's id. */
export type Handle = Brand<string, 'Handle'>;

/** Receives the text of a stream of changes for a client. */
export interface ChangeSink {
  write(text: string): void;
  /** The number of bytes that were written and that the client's connection has not taken yet. */
  unread(): number;
  end(): void;
}

/** Says whether the client of a stream is gone, and tells when it goes. The web's `AbortSignal` is one. */
export interface ClientGone {
  readonly aborted: boolean;
  addEventListener(kind: 'abort', listener: () => void): void;
  removeEventListener(kind: 'abort', listener: () => void): void;
}

/**
 * Begins to write a stream of changes. The promise resolves when the stream has ended the sink. The stream also ends when
 * its client is gone.
 */
export type WriteChanges = (sink: ChangeSink, gone: ClientGone) => Promise<void>;

/**
 * Why a service may not have one more stream of changes now. `changes_unknown`: the server is stopping, or cannot prove
 * now that it receives all changes.
 */
export type TokenChangesRefusal =
  | { readonly code: 'too_many_streams' }
  | { readonly code: 'changes_unknown' };

/** Tells services of changes of records that decide on tokens. */
export interface TokenChanges {
  /** @param nonce a text of the request, which the stream repeats */
  open(caller: ServiceCaller, nonce: string): Awaitable<Result<WriteChanges, TokenChangesRefusal>>;
}

/** Opens a stream of changes for a service that remembers which tokens it accepts. */
export const readTokenChanges = authorized(
  READ_TOKEN_CHANGES,
  ({ tokenChanges }: { readonly tokenChanges: TokenChanges }) =>
    (caller: ServiceCaller, nonce: string) =>
      tokenChanges.open(caller, nonce),
);
