import type { MemoryCli, Outcome } from './memory-cli.ts';

/** Commands and their output, as text that can be recorded. */
export interface Transcript {
  /** Runs a command, given as a user types it, without `gatehouse`. Standard input can contain placeholders, too. */
  run(line: string, stdin?: string): Promise<void>;
  /** Adds the output of a command that the test ran itself. */
  add(line: string, outcome: Outcome, stdin?: string): void;
  /** Replaces a text that differs between runs by a placeholder. */
  hide(text: string, placeholder: string): void;
  /** The commands so far, as given. */
  readonly lines: readonly string[];
  toString(): string;
}

/** Tokens and ids of signing keys of the domain's fakes, which are random. */
const RANDOM = /\b(?:fake-(?<tokenFormat>paseto|jwt)\.[\w.-]+|(?<keyFormat>paseto|jwt)-[\w-]{43})/g;

/** Members with sentences for users, whose wording is not part of the interface. */
const SENTENCES = /("(?:message|remedy)": ?)"(?:[^"\\]|\\.)*"/g;

/** Records standard input (`<`), standard output, standard error (`!`) and exit statuses. */
export function createTranscript(cli: MemoryCli): Transcript {
  const hidden = new Map<string, string>();
  const lines: string[] = [];
  let text = '';

  const placeholderOf = (random: string, kind: string): string => {
    const count = [...hidden.values()].filter((placeholder) => placeholder.startsWith(`<${kind} `)).length;
    const placeholder = hidden.get(random) ?? `<${kind} ${count + 1}>`;
    hidden.set(random, placeholder);
    return placeholder;
  };
  const mask = (output: string): string => {
    const masked = output
      .replaceAll(RANDOM, (found, tokenFormat?: string, keyFormat?: string) =>
        placeholderOf(found, tokenFormat ? `${tokenFormat} token` : `${keyFormat} key`),
      )
      .replaceAll(SENTENCES, '$1"<sentence>"');
    return [...hidden].reduce((rest, [random, placeholder]) => rest.replaceAll(random, placeholder), masked);
  };
  const reveal = (masked: string): string =>
    [...hidden].reduce((rest, [random, placeholder]) => rest.replaceAll(placeholder, random), masked);
  const add: Transcript['add'] = (line, { status, stdout, stderr }, stdin = '') => {
    lines.push(line);
    const [given, said] = [marked('< ', stdin), marked('! ', mask(stderr))];
    text += `$ gatehouse ${line}\n${given}${mask(stdout)}${said}[${status}]\n\n`;
  };

  return {
    lines,
    hide: (random, placeholder) => void hidden.set(random, placeholder),
    add,
    async run(line, stdin = '') {
      add(line, await cli.run(wordsOf(line).map(reveal), { stdin: reveal(stdin) }), stdin);
    },
    toString: () => text,
  };
}

function marked(mark: string, text: string): string {
  return text === '' ? '' : text.replace(/\n$/, '').replaceAll(/^/gm, mark).concat('\n');
}

/** Splits a line at spaces, except within quotes and the angle brackets of a placeholder. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:"[^"]*"|<[^>]*>|[^\s"<])+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ''));
}
