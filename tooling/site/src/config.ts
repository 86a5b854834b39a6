import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { copiedFiles, markdownOptions } from './markdown/markdown.ts';
import { makeNavigation } from './navigation/navigation.ts';
import { listPages, NOT_PAGES, ROOT } from './pages.ts';
import { modulesOfSite } from './plugin.ts';
import { splitSections } from './search/split-sections.ts';
import { withoutInlineScripts } from './security-policy.ts';

const read = (file: string): string => readFileSync(ROOT + file, 'utf8');

/** The path of the site on its host, with slashes around it. The command passes it, because VitePress reads this file. */
const base = process.env.GATEHOUSE_SITE_BASE ?? '/';
const { version, description }: { version: string; description: string } = JSON.parse(read('package.json'));
const pages = listPages();

/** The configuration of VitePress. */
export const config = defineConfig({
  srcDir: ROOT,
  srcExclude: NOT_PAGES,
  rewrites: Object.fromEntries(pages),
  base,
  cacheDir: `${ROOT}node_modules/.cache/site`,
  lang: 'en',
  title: `Gatehouse ${version}`,
  titleTemplate: ':title · Gatehouse',
  description,
  head: [['link', { rel: 'icon', href: `${base}icon.svg` }]],
  // The documents have light and dark pictures, which follow the system. A switch on the page could not reach them.
  appearance: 'force-auto',
  // The data of the site in a file, because a strict content security policy forbids scripts in pages.
  metaChunk: true,
  transformHtml: withoutInlineScripts(base),
  buildEnd({ outDir }) {
    cpSync(`${ROOT}packages/pages/src/assets/icon.svg`, join(outDir, 'icon.svg'));
    for (const [path, place] of copiedFiles) cpSync(ROOT + path, join(outDir, place));
  },
  markdown: markdownOptions(base),
  // Addresses of the reader's own machine are in examples.
  ignoreDeadLinks: 'localhostLinks',
  vite: {
    configFile: false,
    logLevel: 'warn',
    plugins: [modulesOfSite],
    // Pictures are files, so that a content security policy need not allow others.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4096 },
  },
  themeConfig: {
    logo: '/icon.svg',
    ...makeNavigation(read, pages),
    outline: { level: [2, 3], label: 'On this page' },
    externalLinkIcon: true,
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: { fuzzy: 0.15, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
          _splitIntoSections: (_file, html) => splitSections(html) as never,
        },
      },
    },
  },
});
