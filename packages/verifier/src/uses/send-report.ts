import type { Gatehouse } from '../gatehouse.ts';
import { retryAfterOf } from '../retry-after.ts';
import { isAddress } from '../wire.ts';
import type { Count } from './counts.ts';
import type { Outcome } from './outcome.ts';

/** Requests with one token and one outcome that were decided without a question to Gatehouse. */
export interface Entry extends Readonly<Count> {
  readonly outcome: Outcome;
}

/**
 * How a report ended. An older server takes no reports (`unknown`). After a failure, the report is sent again after some
 * milliseconds, or when the caller likes if there are none.
 */
export type Sent = 'taken' | 'refused' | 'unknown' | { readonly retryAfterMs: number | undefined };

const TIMEOUT_MS = 5000;

/**
 * Sends a report. Never rejects.
 *
 * @param timeOf the time of day of Gatehouse at a monotonic time, both in milliseconds
 */
export async function sendReport(
  gatehouse: Gatehouse,
  report: readonly Entry[],
  timeOf: (monotonic: number) => number,
): Promise<Sent> {
  const lineOf = ({ token, address, count, lastAt, outcome }: Entry) => ({
    token,
    count,
    last_at: new Date(timeOf(lastAt)).toISOString(),
    ...(isAddress(address) && { client_address: address }),
    ...(outcome !== 'use' && { reason: outcome }),
  });
  try {
    const body = {
      uses: report.filter(({ outcome }) => outcome === 'use').map(lineOf),
      refusals: report.filter(({ outcome }) => outcome !== 'use').map(lineOf),
    };
    const response = await gatehouse.postJson('/api/v1/token-uses', body, AbortSignal.timeout(TIMEOUT_MS));
    await response.body?.cancel();
    return sentOf(response);
  } catch {
    return { retryAfterMs: undefined };
  }
}

function sentOf(response: Response): Sent {
  switch (response.status) {
    case 200:
    case 204:
      return 'taken';
    // The same report would be refused again.
    case 400:
    case 413:
    case 422:
      return 'refused';
    case 404:
    case 405:
      return 'unknown';
    case 429:
    case 503:
      return { retryAfterMs: retryAfterOf(response) * 1000 };
    default:
      return { retryAfterMs: undefined };
  }
}
