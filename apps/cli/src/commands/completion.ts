import type { CommandCaller } from '@gatehouse/extension-kit/cli';
import type { Command } from 'commander';
import type { Cli, Gatehouse } from '../cli.ts';
import {
  type Candidate,
  type CompletionContext,
  completionContext,
} from '../completion/completion-context.ts';
import { SHELL_NAMES, SHELLS, type ShellName } from '../completion/shells.ts';
import { COMPLETE } from '../completion/words-before-cursor.ts';
import { defineAlone } from '../described/kinds.ts';
import { unwrap } from '../errors/refusals.ts';
import { admin } from '../input/caller.ts';
import { printable } from '../output/printable.ts';
import { offer } from '../output/write.ts';

const SHELL = { description: 'Your shell', choices: SHELL_NAMES };

const completion = defineAlone({
  verb: 'completion',
  summary: 'Print a script that completes commands, options, names and ids in your shell',
  arguments: { shell: SHELL },
  notes: [
    "The script completes the command `gatehouse`, and also ./gatehouse at the root of the checkout. To type `gatehouse` without a path, link that file into a folder on your PATH. To load the script in every new shell, add your shell's example below to the end of ~/.bashrc, of ~/.zshrc (after compinit), or of ~/.config/fish/config.fish. Names, ids and emails are read from the database, if it runs. The id of a token is completed after you type its first character.",
  ],
  examples: [
    'source <(gatehouse completion bash)',
    'source <(gatehouse completion zsh)',
    'gatehouse completion fish | source',
  ],
  prints: 'script',
  alone: ({ shell }, { cli }) => offer(cli.streams.stdout, SHELLS[shell].script(cli.path)),
});

/**
 * The hidden command that the completion script of a shell calls. It prints the possible completions of the typed line.
 */
const complete = defineAlone({
  verb: COMPLETE,
  hidden: true,
  summary: 'Print the completions of a line',
  arguments: { shell: SHELL, words: { description: 'The line', several: true, optional: true } },
  examples: [`gatehouse ${COMPLETE} bash -- 'gatehouse tok' tok`],
  prints: 'script',
  async alone({ shell, words = [] }, { cli, command }) {
    const program = command.parent ?? command;
    // Errors are silent, because a message would appear in the middle of the line that the user is typing.
    const lines = await answer(program, cli, shell, words).catch(() => '');
    await offer(cli.streams.stdout, lines);
  },
});

/**
 * Returns the answer to the script of a shell. If the shell should complete a path, this is `files`. Otherwise it is
 * `words`, followed by one line for each candidate.
 */
async function answer(program: Command, cli: Cli, shell: ShellName, asked: readonly string[]) {
  const request = SHELLS[shell].read(asked);
  const place = completionContext(program, request.before, request.current);
  if (place.kind === 'file') return 'files\n';
  const candidates = [...place.candidates, ...(await lookUp(cli, place))];
  const lines = candidates
    .filter((candidate) => fits(candidate, place))
    .map(({ value, description }) =>
      request.line({ value, description: printable(description).split('\n', 1)[0] ?? '' }, place.stem),
    );
  return ['words', ...lines, ''].join('\n');
}

/**
 * Whether to offer a value as a completion. A value with control characters is not offered, nor one that would be
 * parsed as an option.
 */
function fits({ value }: Candidate, { prefix, isArgument, kind }: CompletionContext): boolean {
  const isOption = isArgument && kind !== 'key' && value.startsWith('-');
  return value.startsWith(prefix) && printable(value) === value && !isOption;
}

async function lookUp(cli: Cli, place: CompletionContext): Promise<readonly Candidate[]> {
  const { kind, prefix, actor } = place;
  if (kind === undefined || kind === 'file') return [];
  await using gatehouse = await cli.peek();
  if (!gatehouse) return [];
  const as = actor ?? process.env.GATEHOUSE_AS;
  const reads = kind === 'token' || kind === 'id';
  const caller = reads && as ? await admin(cli, gatehouse, as) : cli.operator;
  return kind === 'id'
    ? await idsOfExtension(cli, gatehouse, caller, place)
    : unwrap(await gatehouse.suggest(caller, kind, prefix));
}

export const commands = [completion, complete];

/** Maximum number of ids that are offered. */
const MAX_IDS = 100;

/**
 * Returns the ids that the extension of the typed command suggests. Empty if it suggests none, or refuses the caller.
 */
async function idsOfExtension(
  { extensions }: Cli,
  gatehouse: Gatehouse,
  caller: CommandCaller,
  { resource, prefix, given }: CompletionContext,
): Promise<readonly Candidate[]> {
  const extension = extensions.find(({ command }) => command?.name === resource);
  const layer = await extension?.cli?.();
  if (!extension || !layer?.suggestIds) return [];
  const useCases = await gatehouse.useCasesOf(extension);
  const suggested = await layer.suggestIds(useCases, caller, { prefix, given });
  if (!suggested.ok) return [];
  return suggested.value.filter(({ value }) => value.startsWith(prefix)).slice(0, MAX_IDS);
}
