import type { Run } from './outcomes.ts';
import type { ClockFault } from './own-clocks.ts';

/** A message from a test to the process of a service. */
export type ServiceOrder =
  | { readonly do: 'watch'; readonly token: string; readonly scope: string }
  | { readonly do: 'forget'; readonly token: string }
  | { readonly do: 'fail'; readonly clocks: ClockFault }
  | { readonly do: 'report'; readonly token: string; readonly serial: number };

/** The decisions of the verifier about a token so far, and how often it asked Gatehouse. */
export interface Report {
  readonly serial: number;
  readonly runs: readonly Run[];
  readonly questions: number;
  readonly streams: number;
}
