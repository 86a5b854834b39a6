import type { Candidate } from './place.ts';

/** What a shell's script asks: how a word goes on after others. */
export interface Request {
  /** Without the program itself. */
  readonly before: readonly string[];
  readonly current: string;
  /** One line for the shell. What comes before the candidate in its word is the `stem`. */
  line(candidate: Candidate, stem: string): string;
}

export interface Shell {
  /** What the user's shell is to read; it asks the program that it is given the path of. */
  script(path: string): string;
  /** Understands what the script hands over. */
  read(words: readonly string[]): Request;
}
