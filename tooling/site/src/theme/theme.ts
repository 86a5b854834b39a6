import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { searchWord } from '../search/search-word.ts';
import { weightOf } from '../search/weights.ts';

/** The default theme, with the weights and the words of the search. */
export const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ siteData }) {
    // The configuration could name these functions, too. VitePress would then make them of a text, which a strict content
    // security policy forbids.
    const { base, themeConfig } = siteData.value;
    Object.assign(themeConfig.search.options.miniSearch.searchOptions, {
      processTerm: searchWord,
      boostDocument: (id: string, _term: string, { titles }: { readonly titles: readonly string[] }) =>
        weightOf(id, titles, base),
    });
  },
};
