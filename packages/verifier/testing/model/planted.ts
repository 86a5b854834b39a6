/** Errors that can be planted in what the servers do. The verifier's errors are planted in its `Rules`. */
export interface Planted {
  /** The server proves by a timer, and not by a heartbeat that returned. */
  readonly provesByTimer?: boolean;
  /** The server subscribes to its feed after its hello. */
  readonly subscribesLate?: boolean;
  /** A new stream is not told what was heard before. */
  readonly replaysNothing?: boolean;
  /** A server that has just started says that it tells what it heard in the last 10 s. */
  readonly claimsWholeReplay?: boolean;
  /** Introspection answers from what the server heard so far. */
  readonly answersFromMemory?: boolean;
  /** Introspection names the database server of the stream, and not the one that it read. */
  readonly namesNoDatabase?: boolean;
  /** Introspection reads by a statement that began before the request arrived. */
  readonly joinsReads?: boolean;
  /** The answer depends on the subject of the token in place of its owner. */
  readonly namesSubject?: boolean;
  /** The server reads `now` at the opening of the connection, before the request. */
  readonly readsNowEarly?: boolean;
}
