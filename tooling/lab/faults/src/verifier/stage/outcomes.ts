/** A decision of a verifier: the status, or 200 with the user in whose name it accepted the token. */
export interface Outcome {
  readonly status: number;
  /** Whether it decided without a question to Gatehouse. */
  readonly isKnown: boolean;
  readonly user?: number | undefined;
}

/** Decisions in a row that were the same. */
export interface Run extends Outcome {
  /** When the first of them was returned, on the machine's monotonic clock. */
  readonly from: number;
  /** When the last one was returned. */
  to: number;
  count: number;
}

/** Adds a decision. Runs of decisions from memory and from questions can overlap, so each goes on with its own last run. */
export function addOutcome(runs: Run[], outcome: Outcome, at: number): void {
  const last = runs.findLast(({ isKnown }) => isKnown === outcome.isKnown);
  if (last?.status === outcome.status && last.user === outcome.user) {
    last.to = at;
    last.count += 1;
  } else {
    runs.push({ ...outcome, from: at, to: at, count: 1 });
  }
}
