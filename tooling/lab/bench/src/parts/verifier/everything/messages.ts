/** How a process of verifiers that remember many tokens is started, as one argument of JSON. */
export interface HoldersPlan {
  readonly url: string;
  /** The credentials of services, which the verifiers use in turn. */
  readonly credential: string;
  readonly scope: string;
  /** A file with a list of tokens. Every verifier remembers all of them. */
  readonly tokens: string;
  readonly verifiers: number;
  /** How many of its tokens each verifier checks in a second, in any order. */
  readonly checksPerSecond: number;
}

/** A message to the process. It answers each of them. */
export type HoldersOrder =
  /** Report when every verifier remembers all tokens. */
  | { readonly remember: true }
  /** Report how many questions were asked since the last report. */
  | { readonly count: true };

export interface HoldersReport {
  /** The requests that introspect one token or many. */
  readonly questions: number;
}
