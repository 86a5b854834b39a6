/** Writes log lines. The event loop does not wait for it. */
export interface LogOutput {
  /** Writes the lines of the source as soon as possible. Call it whenever the source has more. */
  wake(): void;
  /** Writes all lines of the source, for at most this many milliseconds. Nothing is written after it. */
  end(limitMs: number): Promise<void>;
}

/** The lines that wait to be written. */
export interface LineSource {
  /** Returns the next whole lines, of at most this many bytes together. A longer line is returned alone. */
  take(maxBytes: number): string | undefined;
  /** Called when all lines that `take` returned are written. */
  progressed(): void;
}
