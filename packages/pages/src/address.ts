import { isStorable } from '@gatehouse/domain';
import { listed } from './elements/inline.ts';
import { warning } from './elements/notice.ts';
import { type Html, html } from './html.ts';

/**
 * Reads the parameters of a page's address. Collects the parameters whose value the page does not know, such as
 * `state=lost`.
 */
export function parametersOf(query: URLSearchParams) {
  const leftOut: string[] = [];
  return {
    leftOut,
    /**
     * Reads a parameter by `parse`, which returns undefined for an unknown value. An empty parameter counts as missing,
     * because forms send empty fields.
     */
    read<T>(name: string, parse: (text: string) => T | undefined): T | undefined {
      const text = query.get(name)?.trim();
      if (!text) return undefined;
      const value = parse(text);
      if (value === undefined) leftOut.push(`${name}=${text}`.slice(0, 80));
      return value;
    },
  };
}

/** Whether a user can search for this text: the text is not too long, and the database can store it. */
export const isSearchable = (text: string, maxLength: number) => text.length <= maxLength && isStorable(text);

/** Says which parameters of the address the page ignores; null if it ignores none. */
export function leftOutNote(leftOut: readonly string[]): Html | null {
  if (leftOut.length === 0) return null;
  const parts = listed(leftOut.map((part) => html`<code>${part}</code>`));
  return warning(
    html`<p>Parts of this page’s address are not valid for this list, and were ignored: ${parts}.</p>`,
  );
}
