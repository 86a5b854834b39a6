// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text that does nothing to a terminal but appear: control characters become a replacement sign. */
export function printable(text: string): string {
  return text.replace(CONTROL, '\ufffd');
}

/** What somebody typed, as it is quoted back to them; long text is cut, for it may be a secret. */
export function quote(text: string): string {
  const shown = text.length > 40 ? `${text.slice(0, 20)}...` : text;
  return `"${printable(shown)}"`;
}
