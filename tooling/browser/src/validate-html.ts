import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended', 'html-validate:a11y', 'html-validate:document'],
  rules: {
    // Rules of taste, which browsers do not care about.
    'doctype-style': 'off',
    'no-trailing-whitespace': 'off',
    // Titles contain names, and people may choose long ones.
    'long-title': 'off',
    // A question may have a select for each item, all with one name. The server refuses other repeated fields.
    'form-dup-name': 'off',
    // Files of the page's own origin are as trustworthy as the page.
    'require-sri': ['error', { target: 'crossorigin' }],
  },
});

/**
 * Returns html-validate's findings in a document, such as a response's text, one line each; empty if there are none.
 */
export async function validateHtml(text: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(text);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`),
  );
}
