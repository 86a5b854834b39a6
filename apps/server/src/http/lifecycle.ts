/** `starting`: not all is there yet. `draining`: the process is about to end. */
export type Stage = 'starting' | 'serving' | 'draining';

/** Where the process is in its life; the one thing that changes while it serves. */
export interface Lifecycle {
  stage: Stage;
}
