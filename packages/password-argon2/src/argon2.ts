/** The cost of one hash. */
export interface Argon2Parameters {
  /** The memory for one hash, in KiB. */
  readonly memoryCost: number;
  /** The number of passes over the memory. */
  readonly timeCost: number;
  /** The number of lanes, which the library computes one after another. */
  readonly parallelism: number;
}

/** The computation, on any thread. */
export interface Argon2 {
  hash(password: string, parameters: Argon2Parameters): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}
