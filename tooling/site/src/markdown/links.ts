import { statSync } from 'node:fs';
import { relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { listPages, ROOT } from '../pages.ts';
import { resolveLink } from './resolve-link.ts';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

const isFile = (path: string): boolean => statSync(ROOT + path, { throwIfNoEntry: false })?.isFile() ?? false;

/**
 * Makes the links of the repository links of the site. A link to a source becomes text with the source's path as its
 * title, because the site has no sources.
 * @param copied receives the files that the site needs copies of, with their places in it
 * @param base the path of the site on its host
 */
export function links(md: MarkdownRenderer, copied: Map<string, string>, base: string): void {
  const pages = listPages();
  md.core.ruler.push('gatehouse_links', (state) => {
    const file = relative(ROOT, state.env.realPath ?? state.env.path);
    for (const { children } of state.tokens) rewrite(children ?? [], file);
    for (const token of state.tokens) {
      if (token.type === 'html_block') token.content = withRelativePictures(token.content);
    }
  });

  function rewrite(tokens: Token[], file: string): void {
    let isSource = false;
    for (const token of tokens) {
      if (token.type === 'html_inline') token.content = withRelativePictures(token.content);
      if (token.type === 'link_open') isSource = rewriteLink(token, file);
      if (isSource && token.type === 'link_close') {
        token.tag = 'span';
        isSource = false;
      }
    }
  }

  /** Returns whether the link leads to a source. */
  function rewriteLink(token: Token, file: string): boolean {
    const target = resolveLink(token.attrGet('href') ?? '', file, pages, isFile);
    if (target.kind === 'page') token.attrSet('href', target.href);
    if (target.kind === 'file') {
      copied.set(target.path, target.place);
      token.attrSet('href', base + target.place);
      // VitePress takes a link with this attribute as it is.
      token.attrSet('download', '');
    }
    if (target.kind === 'source') {
      // VitePress's own renderer of `link_open` would add attributes of links.
      token.type = 'source_open';
      token.tag = 'span';
      token.attrs = [
        ['class', 'source'],
        ['title', `${target.path} in the repository`],
      ];
    }
    return target.kind === 'source';
  }
}

/** Vue takes only a path that begins with a dot as one of a file. */
function withRelativePictures(html: string): string {
  return html.replaceAll(/\b(src|srcset)="(?![a-z]+:|[./])/g, '$1="./');
}
