import type { MarkdownRenderer } from 'vitepress';

/** Keeps Vue from taking two braces in prose as an expression. VitePress does the same for code. */
export function plainBraces(md: MarkdownRenderer): void {
  const { text } = md.renderer.rules;
  md.renderer.rules.text = (...args) =>
    (text?.(...args) ?? args[0][args[1]]?.content ?? '').replaceAll('{{', '&#123;&#123;');
}
