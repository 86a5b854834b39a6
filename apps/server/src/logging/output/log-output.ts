/** Where log lines are written, without the event loop waiting for it. */
export interface LogOutput {
  /** Writes what the source has, as soon as that is possible. Call it whenever the source has more. */
  wake(): void;
  /** Writes all that the source has, for so many milliseconds at most. Nothing is written after it. */
  end(limitMs: number): Promise<void>;
}

/** What is to be written. */
export interface LineSource {
  /** The next whole lines, of so many bytes together at most; a line that is longer comes by itself. */
  take(maxBytes: number): string | undefined;
  /** Called when all that was taken so far is written. */
  progressed(): void;
}
