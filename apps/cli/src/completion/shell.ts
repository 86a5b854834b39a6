import type { Candidate } from './place.ts';

/** What a shell's script asks for: completions of a word after others. */
export interface Request {
  /** The words before it, without the program's name. */
  readonly before: readonly string[];
  readonly current: string;
  /** One line for the shell. What comes before the candidate in its word is the `stem`. */
  line(candidate: Candidate, stem: string): string;
}

export interface Shell {
  /** The script that the user's shell sources; it calls the program at this path. */
  script(path: string): string;
  /** Parses the arguments that the script passes. */
  read(words: readonly string[]): Request;
}
