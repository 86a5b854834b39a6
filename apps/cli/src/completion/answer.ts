import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { unwrap } from '../errors/refusals.ts';
import { admin } from '../input/caller.ts';
import { printable } from '../output/printable.ts';
import { type Candidate, type CompletionContext, completionContext } from './completion-context.ts';
import { SHELLS, type ShellName } from './shells.ts';

/** Returns the output for a shell's script: `files`, or `words` followed by one line for each word. */
export async function answer(
  program: Command,
  cli: Cli,
  shell: ShellName,
  asked: readonly string[],
): Promise<string> {
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

/** Leaves out values with control characters, and arguments that would be parsed as options. */
function fits({ value }: Candidate, { prefix, isArgument, kind }: CompletionContext): boolean {
  const isOption = isArgument && kind !== 'key' && value.startsWith('-');
  return value.startsWith(prefix) && printable(value) === value && !isOption;
}

async function lookUp(cli: Cli, { kind, prefix, actor }: CompletionContext): Promise<readonly Candidate[]> {
  if (kind === undefined || kind === 'file') return [];
  await using gatehouse = await cli.peek();
  if (!gatehouse) return [];
  const as = actor ?? process.env.GATEHOUSE_AS;
  const caller = kind === 'token' && as ? await admin(cli, gatehouse, as) : cli.operator;
  return unwrap(await gatehouse.suggest(caller, kind, prefix));
}
