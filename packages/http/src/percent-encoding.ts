/** Decodes percent-encoded UTF-8; undefined if the text is not that. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
