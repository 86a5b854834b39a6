import type { ExampleRequest } from './example-request.ts';

/**
 * Writes a program in Go that needs no modules but those of Go 1.19 itself. Pages show a tab as an invisible character,
 * so it is indented by spaces. `gofmt` makes tabs of them.
 */
export function goProgram(request: ExampleRequest): string {
  const { method, url, bearerIn, body, isForm, hasAnswer } = request;
  const content =
    body === undefined ? 'nil' : `strings.NewReader(${isForm ? goForm(body) : quoted(JSON.stringify(body))})`;
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const modules = [
    ...(hasAnswer ? [] : ['encoding/json']),
    'fmt',
    'io',
    'net/http',
    ...(isForm ? ['net/url'] : []),
    ...(bearerIn === undefined && hasAnswer ? [] : ['os']),
    ...(body === undefined ? [] : ['strings']),
  ];
  const headers = [
    ...(bearerIn === undefined
      ? []
      : [`request.Header.Set("Authorization", "Bearer "+os.Getenv("${bearerIn}"))`]),
    ...(body === undefined ? [] : [`request.Header.Set("Content-Type", "${type}")`]),
  ];
  const lines = [
    `request, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${content})`,
    'must(err)',
    ...headers,
    'response, err := http.DefaultClient.Do(request)',
    'must(err)',
    'defer response.Body.Close()',
    'body, err := io.ReadAll(response.Body)',
    'must(err)',
    'if response.StatusCode >= 400 {',
    '    panic(fmt.Sprint(response.Status, ": ", string(body)))',
    '}',
    hasAnswer ? 'fmt.Println(string(body))' : 'must(json.NewEncoder(os.Stdout).Encode(response.Header))',
  ];
  return `package main

import (
${modules.map((module) => `    "${module}"`).join('\n')}
)

func main() {
${lines.map((line) => `    ${line}`).join('\n')}
}

func must(err error) {
    if err != nil {
        panic(err)
    }
}`;
}

function goForm(body: unknown): string {
  const fields = Object.entries(body as object).map(
    ([name, value]) => `${JSON.stringify(name)}: {${JSON.stringify(String(value))}}`,
  );
  return `url.Values{${fields.join(', ')}}.Encode()`;
}

/** Quotes a text. JSON is easier to read without escapes, but a text between backquotes can contain none. */
const quoted = (text: string) => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);
