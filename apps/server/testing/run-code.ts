import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How each language is run, with the code as the last argument. */
const RUNNERS = {
  curl: ['bash', '-c'],
  TypeScript: [process.execPath, '--no-warnings', '--input-type=module-typescript', '--eval'],
  Python: ['python3', '-c'],
  // The compiler of Go reads files only. Debian keeps the one of its release outside of the path.
  Go: [
    'bash',
    '-c',
    `PATH=$PATH:/usr/lib/go-1.19/bin; file=$(mktemp --suffix .go); printf %s "$0" > "$file"; go run "$file"; status=$?; rm "$file"; exit $status`,
  ],
} as const;

export type RunLanguage = keyof typeof RUNNERS;

/** Whether each language can be run here. It is said of one that cannot: its tests are skipped. */
async function findLanguages(): Promise<Readonly<Record<RunLanguage, boolean>>> {
  const isInstalled = (program: string, ...options: readonly string[]) =>
    run(program, [...options]).then(
      () => true,
      () => false,
    );
  const found = {
    curl: await isInstalled('curl', '--version'),
    TypeScript: true,
    // With what the examples import.
    Python: await isInstalled('python3', '-c', 'import cryptography'),
    Go: await isInstalled('bash', '-c', 'PATH=$PATH:/usr/lib/go-1.19/bin; go version'),
  };
  for (const [language, isThere] of Object.entries(found)) {
    if (isThere) continue;
    const missing = language === 'Python' ? 'python3 with its package cryptography' : language;
    process.stderr.write(`SKIPPED: the examples in ${language} were not run: ${missing} is not installed\n`);
  }
  return found;
}

export const CAN_RUN = await findLanguages();

/** Runs code that a page or a document shows, and returns the JSON that it prints, or the headers that curl prints. */
export async function runCode(
  language: RunLanguage,
  code: string,
  env: Readonly<Record<string, string>>,
): Promise<unknown> {
  const [program, ...options] = RUNNERS[language];
  const { stdout } = await run(program, [...options, code], { env: { ...process.env, ...env } });
  return stdout.startsWith('HTTP/') ? headersIn(stdout) : JSON.parse(stdout);
}

/** Returns the header fields of a response as curl prints them, with their names in lower case. */
function headersIn(head: string): Readonly<Record<string, string>> {
  const fields = head.matchAll(/^([^:\r\n]+): (.*?)\r?$/gm);
  return Object.fromEntries(Array.from(fields, ([, name = '', value = '']) => [name.toLowerCase(), value]));
}
