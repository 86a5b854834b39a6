import { showFields } from '../elements/form.ts';
import { type Html, html } from '../html.ts';
import { codeBlock } from './code.ts';

/**
 * An example request. The programs that send it read the token from an environment variable. If they contained the
 * token as text, users would store their tokens in files.
 */
export interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  readonly needsToken: boolean;
  /** Sent as JSON; undefined for a request without a body. */
  readonly body: unknown;
}

export type Language = 'curl' | 'TypeScript' | 'Python';

/**
 * Functions that write a program, by its language. The program sends a request, prints the body of the answer, and
 * needs no libraries.
 */
export const SNIPPETS: Readonly<Record<Language, (request: ExampleRequest) => string>> = {
  curl({ method, url, needsToken, body }) {
    const options = [
      ...(method === 'GET' ? [] : [`-X ${method}`]),
      ...(needsToken ? ['-H "Authorization: Bearer $GATEHOUSE_TOKEN"'] : []),
      ...(body === undefined
        ? []
        : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
    ];
    return ['curl --fail-with-body', ...options, quoted(url)].join(' \\\n  ');
  },
  TypeScript({ method, url, needsToken, body }) {
    const headers = [
      ...(needsToken ? [`authorization: \`Bearer \${process.env.GATEHOUSE_TOKEN}\``] : []),
      ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
    ];
    const options = [
      ...(method === 'GET' ? [] : [`method: '${method}',`]),
      ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} },`]),
      ...(body === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(body)}),`]),
    ];
    const call = options.length === 0 ? '' : `, {\n  ${options.join('\n  ')}\n}`;
    return `const response = await fetch(${JSON.stringify(url)}${call});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
console.log(JSON.stringify(await response.json()));`;
  },
  Python({ method, url, needsToken, body }) {
    const headers = [
      ...(needsToken ? [`"Authorization": f"Bearer {os.environ['GATEHOUSE_TOKEN']}"`] : []),
      ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
    ];
    const options = [
      JSON.stringify(url),
      ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
      ...(body === undefined ? [] : [`data=json.dumps(${pythonOf(body)}).encode()`]),
      ...(method === 'GET' ? [] : [`method="${method}"`]),
    ];
    return `import json${needsToken ? ', os' : ''}, urllib.request

request = urllib.request.Request(
    ${options.join(',\n    ')},
)
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response)))`;
  },
};

/** Writes a value as a literal of Python. */
function pythonOf(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, of]) => `${JSON.stringify(name)}: ${pythonOf(of)}`);
  return `{${members.join(', ')}}`;
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const LANGUAGES = Object.keys(SNIPPETS) as Language[];

/**
 * Renders the choice of a language for all examples. reference.css hides the examples in other languages. Until the
 * user chooses a language, all examples are shown.
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
      html`<div class="example" data-in="${language}"><p class="hint">${language}</p>${codeBlock(SNIPPETS[language](request), language)}</div>`,
  )}`;
}
