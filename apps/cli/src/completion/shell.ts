import type { Candidate } from './completion-context.ts';

/** A completion request of a shell's script. */
export interface Request {
  /** The words before the current one, without the program's name. */
  readonly before: readonly string[];
  readonly current: string;
  /** Formats one line for the shell. The `stem` precedes the candidate in its word. */
  line(candidate: Candidate, stem: string): string;
}

export interface Shell {
  /** The script that the user's shell sources; it calls the program at this path. */
  script(path: string): string;
  /** Parses the arguments that the script passes. */
  read(words: readonly string[]): Request;
}
