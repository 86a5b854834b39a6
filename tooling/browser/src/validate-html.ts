import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended', 'html-validate:a11y', 'html-validate:document'],
  rules: {
    // Matters of taste, and none of the browser's.
    'doctype-style': 'off',
    'no-trailing-whitespace': 'off',
    // Titles have names in them, which people write.
    'long-title': 'off',
    'form-dup-name': ['error', { shared: ['checkbox', 'radio', 'submit'] }],
    // Files of the page's own origin are as trustworthy as the page.
    'require-sri': ['error', { target: 'crossorigin' }],
  },
});

/** What html-validate finds in a document, such as a response's text; empty if nothing. One line for each finding. */
export async function validateHtml(text: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(text);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`),
  );
}
