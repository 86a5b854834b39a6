/** Quotes a text for a POSIX shell, so that a command with the text can be pasted. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Writes a text that a user chose as a word of a command, in quotes only if a shell needs them. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text));
