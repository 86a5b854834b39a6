import type { MarkdownRenderer } from 'vitepress';

/**
 * Keeps Vue from taking two braces in prose or in a code span as an expression. VitePress does the same for blocks of
 * code.
 */
export function plainBraces(md: MarkdownRenderer): void {
  for (const name of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[name];
    md.renderer.rules[name] = (...args) =>
      (render?.(...args) ?? args[0][args[1]]?.content ?? '').replaceAll('{{', '&#123;&#123;');
  }
}
