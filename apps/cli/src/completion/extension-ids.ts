import type { CommandCaller } from '@gatehouse/extension-kit/cli';
import type { Cli, Gatehouse } from '../cli.ts';
import type { Candidate, CompletionContext } from './completion-context.ts';

/** Maximum number of ids that are offered. */
const MAX_IDS = 100;

/** The ids suggested by the extension whose command is typed; none if it suggests none, or refuses the caller. */
export async function idsOfExtension(
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
