/** Where log lines are written, without the event loop waiting for it. */
export interface LogOutput {
  /** Writes what the source has, as soon as that is possible. Call it whenever the source has more. */
  wake(): void;
  /** Writes everything that the source has, for at most `limitMs` milliseconds. Nothing is written after that. */
  end(limitMs: number): Promise<void>;
}

/** What is to be written. */
export interface LineSource {
  /** Returns the next whole lines, together at most `maxBytes` bytes; a longer line is returned alone. */
  take(maxBytes: number): string | undefined;
  /** Called when all that was taken so far is written. */
  progressed(): void;
}
