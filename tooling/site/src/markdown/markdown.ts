import { slugOf } from '@gatehouse/checks/document-links';
import type { MarkdownOptions } from 'vitepress';
import { links } from './links.ts';
import { plainBraces } from './plain-braces.ts';
import { rowAnchors } from './row-anchors.ts';

/** Where the files that pages link to are copied, by their paths from the root. The pages fill it. */
export const copiedFiles = new Map<string, string>();

/** Reads Markdown as GitHub does: the same anchors, links relative to the file, and nothing that only Vue knows. */
export function markdownOptions(base: string): MarkdownOptions {
  return {
    anchor: { slugify: slugOf },
    // Colours of GitHub, with enough contrast for small text on our grounds.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    attrs: { disable: true },
    emoji: { shortcuts: {} },
    config(md) {
      links(md, copiedFiles, base);
      rowAnchors(md);
      plainBraces(md);
    },
  };
}
