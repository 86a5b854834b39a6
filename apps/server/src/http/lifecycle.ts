/** Where the process is in its life; the one thing that changes while it serves. */
export interface Lifecycle {
  /** `starting`: not all is there yet. `draining`: the process is about to end. */
  stage: 'starting' | 'serving' | 'draining';
}
