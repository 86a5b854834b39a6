/** The cost of one hash. */
export interface Argon2Parameters {
  /** The memory for one hash, in KiB. */
  readonly memoryCost: number;
  /** The number of passes over the memory. */
  readonly timeCost: number;
  /** The number of Argon2 lanes (RFC 9106), which the library computes one after another. */
  readonly parallelism: number;
}

/** The functions that compute hashes, on any thread. */
export interface Argon2 {
  hash(password: string, parameters: Argon2Parameters): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}
