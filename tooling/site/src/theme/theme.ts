import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { weightOf } from '../search/weights.ts';

/** The default theme, with the weights of the search. */
export const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ siteData }) {
    // The configuration could name this function, too. VitePress would then make it of a text, which a strict content
    // security policy forbids.
    const { base, themeConfig } = siteData.value;
    themeConfig.search.options.miniSearch.searchOptions.boostDocument = (
      id: string,
      _term: string,
      { titles }: { readonly titles: readonly string[] },
    ) => weightOf(id, titles, base);
  },
};
