/** The cost of one hash. */
export interface Argon2Parameters {
  /** KiB. */
  readonly memoryCost: number;
  /** Passes over the memory. */
  readonly timeCost: number;
  /** Lanes, which the library computes one after another. */
  readonly parallelism: number;
}

/** The computation alone, as the library offers it, on whatever thread. */
export interface Argon2 {
  hash(password: string, parameters: Argon2Parameters): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}
