import type { MarkdownRenderer } from 'vitepress';

/** A name that is looked for by itself: a setting, an error code, a metric. */
const NAME = /^[A-Za-z][\w.:-]{2,}$/;

/**
 * Gives the names in the first column of a table anchors, so the search leads to a row. Each name has the anchor of its
 * own text. A name that is an anchor of the page already, or stands in two tables, keeps the first. A long name can break
 * after `_`, so it leaves room for its meaning.
 */
export function rowAnchors(md: MarkdownRenderer): void {
  const render = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (tokens, index, ...given) => {
    const html = render?.(tokens, index, ...given) ?? '';
    const isName = tokens[index]?.attrGet('id') != null;
    return isName ? html.replace(/>[^<]*</, (text) => text.replaceAll('_', '_<wbr>')) : html;
  };
  md.core.ruler.push('gatehouse_row_anchors', (state) => {
    const taken = new Set(state.tokens.map((token) => token.attrGet('id')).filter((id) => id !== null));
    let column = 0;
    for (const token of state.tokens) {
      if (token.type === 'tr_open') column = 0;
      if (token.type === 'td_open') column += 1;
      if (token.type !== 'inline' || column !== 1) continue;
      for (const child of token.children ?? []) {
        if (child.type !== 'code_inline' || !NAME.test(child.content) || taken.has(child.content)) continue;
        taken.add(child.content);
        child.attrSet('id', child.content);
      }
    }
  });
}
