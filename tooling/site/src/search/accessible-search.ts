/** A change of a component: the text that it replaces, and the text in its place. */
type Change = readonly [theirs: RegExp, ours: string];

/**
 * Changes of the default theme's search, by the component. Its box calls itself a button, and puts links into options, so
 * screen readers read neither. Here it is a dialog with a combobox, whose options are the links
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).
 */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  'VPLocalSearchBox.vue': [
    [
      /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
      'role="dialog" aria-modal="true"',
    ],
    [
      /aria-autocomplete="both"/,
      'role="combobox" aria-autocomplete="list" :aria-expanded="results.length > 0"',
    ],
    [/:id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]*"\s+role="option"/, 'role="none"'],
    [
      /:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/,
      `:id="'localsearch-item-' + index" role="option" :aria-selected="selectedIndex === index ? 'true' : 'false'"`,
    ],
    // A label counts only on an element with a role.
    [/<kbd :aria-label/g, '<kbd role="img" :aria-label'],
  ],
  // The name of the button is its text, without the keys. In a narrow window the text is hidden, and the title counts.
  'VPNavBarSearchButton.vue': [
    [/:aria-label="translate/, ':title="translate'],
    [/<span class="DocSearch-Button-Keys">/, '<span class="DocSearch-Button-Keys" aria-hidden="true">'],
  ],
};

/**
 * Returns the source of a component of the default theme with our changes, or undefined if there are none. Throws if the
 * component is not as expected, which happens after an upgrade of VitePress: then look whether the changes are needed.
 * @param path the component's file
 */
export function accessibleSearch(source: string, path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return CHANGES[name]?.reduce((text, [theirs, ours]) => {
    if (text.search(theirs) === -1) throw new Error(`VitePress's ${name} has changed: no ${theirs.source}`);
    return text.replace(theirs, ours);
  }, source);
}
