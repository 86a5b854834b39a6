/** The meaning of a finding and how to fix it, each in one or more sentences. */
export interface FindingText {
  readonly message: string;
  readonly remedy: string;
}

/** The reasons why a check was skipped. Each text is the end of a sentence that begins "Not checked: …, because". */
export const SKIP_REASONS = {
  database_unreachable: 'the database does not answer',
  data_folder_exposed: 'other users of this machine can write to the data folder',
  schema_not_current: "the database's schema is not the one that this program needs",
  no_keys: 'no signing key is in use, so the master key cannot be tested',
  no_master_key: 'no master key is configured on this machine',
};

export type SkipReason = keyof typeof SKIP_REASONS;

/** Sentences that replace the usual one of a check without findings. */
export const REMARKS = {
  no_mail: 'No mail server is set up: links are shown to be handed over, and no one gets messages.',
  // So no usage was late.
  no_usage: 'No server has stored a use of a token within a day.',
  no_break_glass_admin:
    'The admins of at least one account sign in with an identity provider, and none of them is marked for emergencies: `gatehouse user mark-break-glass EMAIL` marks one.',
};

export type Remark = keyof typeof REMARKS;

/** The outcome of one check. Each check has its own type of findings. */
export type Outcome<Found> =
  | { readonly status: 'passed'; readonly remark?: Remark }
  | { readonly status: 'failed'; readonly findings: readonly [Found, ...Found[]] }
  | { readonly status: 'skipped'; readonly because: SkipReason };

/** One health check, and the texts for its findings. */
export interface Check<Id extends string, Ports, Found extends { readonly code: string }> {
  readonly id: Id;
  /** The check's name within a sentence. */
  readonly name: string;
  /** The sentence that is shown if the check has no findings. */
  readonly passed: string;
  /**
   * False if the check reads no tables. Checks without this property run only if the database has the current schema.
   */
  readonly needsSchema?: false;
  run(ports: Ports): Promise<Outcome<Found>>;
  readonly findings: {
    readonly [Code in Found['code']]: (finding: Extract<Found, { readonly code: Code }>) => FindingText;
  };
}

/** Returns the check, with its types inferred. */
export function defineCheck<const Id extends string, Ports, Found extends { readonly code: string }>(
  check: Check<Id, Ports, Found>,
) {
  return check;
}

/** Returns the outcome `failed` with these findings, or `passed` if there are no findings. */
export function outcomeOf<const Found>(findings: readonly Found[]): Outcome<Found> {
  const [first, ...others] = findings;
  return first ? { status: 'failed', findings: [first, ...others] } : { status: 'passed' };
}

/** Formats milliseconds for a sentence, such as `1.5 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
