import type { Handles, Hello, Proof } from './stream.ts';

/**
 * Takes the lines of one stream in the order in which they arrive. A method that returns `false` has ended the stream: close its
 * connection and open another.
 */
export interface StreamReader {
  hello(line: Hello): boolean;
  changed(handles: Handles): boolean;
  proof(line: Proof): boolean;
  /** The connection ended. */
  end(): void;
}
