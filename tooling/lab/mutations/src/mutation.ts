/** A change of the sources that breaks a protection. */
export interface Mutation {
  /** The requirements in docs/develop/security whose tests are run under this mutation. */
  readonly requirements: readonly number[];
  /** The change, as a sentence. */
  readonly change: string;
  readonly edits: readonly Edit[];
}

/** Replaces a text that occurs exactly once in a file, or removes it. */
export interface Edit {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace?: string;
}

export function mutation(
  requirements: readonly number[],
  change: string,
  edits: Edit | readonly Edit[],
): Mutation {
  return { requirements, change, edits: [edits].flat() };
}

/** Returns the text after the edit; throws if the text to replace does not occur exactly once. */
export function applyEdit(text: string, { file, find, replace = '' }: Edit): string {
  const [before, ...rest] = text.split(find);
  if (rest.length !== 1) {
    throw new Error(`${file} holds ${JSON.stringify(find)} ${rest.length} times: a mutation needs it once`);
  }
  return `${before}${replace}${rest[0]}`;
}
