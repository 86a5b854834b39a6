/**
 * Decodes the bytes of a file or of standard input: UTF-8 with or without a byte order mark, or UTF-16 with a byte
 * order mark, as PowerShell writes files. Throws a `TypeError` for any other encoding.
 */
export function secretText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

/** Removes one line ending (CRLF, LF or CR) from the end of the text. */
export function withoutLineEnd(text: string): string {
  return text.replace(/(?:\r\n|\n|\r)$/, '');
}
