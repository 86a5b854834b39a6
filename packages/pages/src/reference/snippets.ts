import { showFields } from '../elements/form.ts';
import { quoted } from '../elements/shell-word.ts';
import { type Html, html } from '../html.ts';
import { copiedCode } from './code.ts';
import type { ExampleRequest } from './example-request.ts';
import { goProgram } from './go-program.ts';

export type Language = 'curl' | 'TypeScript' | 'Python' | 'Go';

/**
 * Functions that write a program, by its language. The program sends a request, prints the body of the answer or its
 * headers, and needs no libraries.
 */
export const SNIPPETS: Readonly<Record<Language, (request: ExampleRequest) => string>> = {
  curl({ method, url, bearerIn, body, isForm, hasAnswer }) {
    const options = [
      ...(method === 'GET' ? [] : [`-X ${method}`]),
      ...(hasAnswer ? [] : ['--dump-header -']),
      ...(bearerIn === undefined ? [] : [`-H "Authorization: Bearer $${bearerIn}"`]),
      ...(body === undefined ? [] : isForm ? curlForm(body) : curlJson(body)),
    ];
    return ['curl --fail-with-body', ...options, quoted(url)].join(' \\\n  ');
  },
  TypeScript({ method, url, bearerIn, body, isForm, hasAnswer }) {
    const headers = [
      ...(bearerIn === undefined ? [] : [`authorization: \`Bearer \${process.env.${bearerIn}}\``]),
      ...(body === undefined || isForm ? [] : ["'content-type': 'application/json'"]),
    ];
    const written = JSON.stringify(body);
    const options = [
      ...(method === 'GET' ? [] : [`method: '${method}',`]),
      ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} },`]),
      ...(body === undefined
        ? []
        : [`body: ${isForm ? `new URLSearchParams(${written})` : `JSON.stringify(${written})`},`]),
    ];
    const call = options.length === 0 ? '' : `, {\n  ${options.join('\n  ')}\n}`;
    return `const response = await fetch(${JSON.stringify(url)}${call});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
console.log(JSON.stringify(${hasAnswer ? 'await response.json()' : 'Object.fromEntries(response.headers)'}));`;
  },
  Python({ method, url, bearerIn, body, isForm, hasAnswer }) {
    const headers = [
      ...(bearerIn === undefined ? [] : [`"Authorization": f"Bearer {os.environ['${bearerIn}']}"`]),
      ...(body === undefined || isForm ? [] : ['"Content-Type": "application/json"']),
    ];
    const written = isForm ? `urllib.parse.urlencode(${pythonOf(body)})` : `json.dumps(${pythonOf(body)})`;
    const options = [
      JSON.stringify(url),
      ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
      ...(body === undefined ? [] : [`data=${written}.encode()`]),
      ...(method === 'GET' ? [] : [`method="${method}"`]),
    ];
    const modules = [
      'json',
      ...(bearerIn === undefined ? [] : ['os']),
      ...(isForm ? ['urllib.parse'] : []),
      'urllib.request',
    ];
    return `import ${modules.join(', ')}

request = urllib.request.Request(
    ${options.join(',\n    ')},
)
with urllib.request.urlopen(request) as response:
    print(json.dumps(${hasAnswer ? 'json.load(response)' : 'dict(response.headers)'}))`;
  },
  Go: goProgram,
};

const curlJson = (body: unknown) => [
  "-H 'Content-Type: application/json'",
  `-d ${quoted(JSON.stringify(body))}`,
];

const curlForm = (body: unknown) =>
  Object.entries(body as object).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);

/** Writes a value as a literal of Python. */
function pythonOf(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, of]) => `${JSON.stringify(name)}: ${pythonOf(of)}`);
  return `{${members.join(', ')}}`;
}

const LANGUAGES = Object.keys(SNIPPETS) as Language[];

/**
 * Renders the choice of a language for all examples. reference.css hides the examples in other languages. Until the
 * user chooses a language, all examples are shown. examples-language.js keeps the choice in the browser.
 */
export function languageChoice(): Html {
  const choices = ['all', ...LANGUAGES].map((value) => ({ value, label: value }));
  const fields = { examples: { type: 'radio', label: 'Examples in', choices } } as const;
  return showFields(fields, { examples: 'all' })('examples');
}

/** Shows an example request in each language. */
export function examples(request: ExampleRequest): Html {
  return html`${LANGUAGES.map(
    (language) =>
      html`<div class="example" data-in="${language}"><p class="hint">${language}</p>${copiedCode(SNIPPETS[language](request), language)}</div>`,
  )}`;
}
