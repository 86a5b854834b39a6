/** A change of the sources after which a protection no longer holds. */
export interface Mutation {
  /** Rows of docs/security.md: their tests are run under this mutation. */
  readonly requirements: readonly number[];
  /** What is changed, as a sentence. */
  readonly change: string;
  readonly edits: readonly Edit[];
}

/** Replaces a text that a file holds exactly once. */
export interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** The text after the edit; throws where the text to be replaced is not there exactly once. */
export function applyEdit(text: string, { file, find, replace }: Edit): string {
  const [before, ...rest] = text.split(find);
  if (rest.length !== 1) {
    throw new Error(`${file} holds ${JSON.stringify(find)} ${rest.length} times: a mutation needs it once`);
  }
  return `${before}${replace}${rest[0]}`;
}
