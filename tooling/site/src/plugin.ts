import { accessibleSearch } from './search/accessible-search.ts';

const DOCSEARCH = '@docsearch/js';
const NO_DOCSEARCH = '\0no-docsearch';

/** A plugin of vite that finds modules where VitePress would not, and changes one of the default theme. */
export const modulesOfSite = {
  name: 'gatehouse-site',
  enforce: 'pre',
  resolveId(id: string, _importer: unknown, { ssr = false }: { ssr?: boolean | undefined }) {
    // Markdown files outside of this package import Vue, and Node would not find it from there. The rendered pages are
    // written below this package.
    if (ssr && /^vue(\/server-renderer)?$/.test(id)) return { id, external: true };
    // pnpm-workspace.yaml leaves it out: the default theme imports it, but calls it for a search service only.
    return id === DOCSEARCH ? NO_DOCSEARCH : null;
  },
  transform: (code: string, id: string) => accessibleSearch(code, id) ?? null,
  load: (id: string) => (id === NO_DOCSEARCH ? 'export default undefined' : null),
} as const;
