/** Writes log lines without blocking the event loop. */
export interface LogOutput {
  /** Starts to write the lines of the source. Call this whenever lines were added to the source. */
  wake(): void;
  /** Writes all lines of the source, for at most `limitMs` milliseconds. After this call, nothing more is written. */
  end(limitMs: number): Promise<void>;
}

/** The lines that wait to be written. */
export interface LineSource {
  /**
   * Removes and returns the next whole lines, of at most `maxBytes` together. A line that is longer than `maxBytes` is
   * returned alone. Returns undefined if no lines wait.
   */
  take(maxBytes: number): string | undefined;
  /** Called when all lines that `take` returned are written. */
  progressed(): void;
}
