/** What a finding means, and what to do about it: each a sentence or more. */
export interface FindingText {
  readonly message: string;
  readonly remedy: string;
}

/** Why a check was not made. */
export type SkipReason =
  | 'database_unreachable'
  | 'data_folder_exposed'
  | 'schema_not_current'
  | 'no_keys'
  | 'no_master_key';

/** What a check comes to, with findings of its own. */
export type Outcome<Found> =
  /** `no_usage`: no server stored any, lately; so none was late. */
  | { readonly status: 'passed'; readonly remark?: 'no_usage' }
  | { readonly status: 'failed'; readonly findings: readonly [Found, ...Found[]] }
  | { readonly status: 'skipped'; readonly because: SkipReason };

/** One thing that is looked at: how, and what is said of it. */
export interface Check<Id extends string, Ports, Found extends { readonly code: string }> {
  readonly id: Id;
  /** What the check is called in a sentence. */
  readonly name: string;
  /** Said where it finds nothing. */
  readonly passed: string;
  /** Whether it reads tables, which only a current schema has. */
  readonly needsSchema: boolean;
  run(ports: Ports): Promise<Outcome<Found>>;
  readonly findings: {
    readonly [Code in Found['code']]: (finding: Extract<Found, { readonly code: Code }>) => FindingText;
  };
}

export function defineCheck<const Id extends string, Ports, Found extends { readonly code: string }>(
  check: Check<Id, Ports, Found>,
): Check<Id, Ports, Found> {
  return check;
}

/** Passed, unless something was found. */
export function outcomeOf<Found>(findings: readonly Found[]): Outcome<Found> {
  const [first, ...others] = findings;
  return first ? { status: 'failed', findings: [first, ...others] } : { status: 'passed' };
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
