import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-status.ts';
import { refusal, unwrap } from '../../errors/refusals.ts';
import type { Printer } from '../../output/printer.ts';
import { tokenView } from '../../views/token-view.ts';
import { nameOf, type RevokeTarget } from './revoke-targets.ts';

/** Prints one document for one target, an array for several. Throws if any failed. */
export async function printTargets(printer: Printer, targets: readonly RevokeTarget[]): Promise<void> {
  const [only] = targets;
  if (only && targets.length === 1) return printer.document(tokenView.document(unwrap(only.outcome)));
  await printer.document(targets.map(documentOf));
  const failures = targets.flatMap((target) =>
    target.outcome.ok ? [] : [`${nameOf(target)}: ${refusal(target.outcome.error).message}`],
  );
  if (failures.length === 0) return;
  const summary = `${failures.length} of ${targets.length} tokens failed:`;
  throw new CommandError(EXIT.someFailed, [summary, ...failures]);
}

function documentOf({ named, outcome }: RevokeTarget): object {
  if (outcome.ok) return tokenView.document(outcome.value);
  const { code } = outcome.error;
  return { ...named, error: { code, message: refusal(outcome.error).message } };
}
