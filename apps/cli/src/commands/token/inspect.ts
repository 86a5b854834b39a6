import { EXPIRES_SOON_MS, isOutside, networkTexts, type TokenInspection } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { defineSteps } from '../../described/kinds.ts';
import { CommandError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { IP_ADDRESS } from '../../input/parsers.ts';
import { readPastedToken } from '../../input/pasted-tokens.ts';
import { claimsView, inspectionDocument, stepView, whyNot } from '../../views/inspection-view.ts';
import { tokenView } from '../../views/token-view.ts';

export const tokenInspect = defineSteps({
  verb: 'inspect',
  summary: 'Show whose token this is and whether a server would accept it (exit status 6 if not)',
  noArguments:
    'Do not pass a token as an argument, where other users and the shell history can see it: give it on standard input, or at the prompt.',
  as: { description: "Find only tokens of this admin's account" },
  options: {
    from: { ...IP_ADDRESS, description: 'Check whether a client with this IP address may use the token' },
  },
  notes: [
    'Reads the token from standard input, or asks for it without echo. Runs the checks that a server runs, in the same order, with the settings TOKEN_ISSUER and TOKEN_AUDIENCE of this command. Checks after the first failure are skipped. Inspecting a token does not count as using it. With --json, the token\'s record is the member "record".',
  ],
  examples: ['gatehouse token inspect', 'gatehouse token inspect < erp.token'],
  prints: 'item',
  read: async (_, cli) => ({ text: await readPastedToken(cli) }),
  async steps({ inspectToken }, caller, { text, from }, { output, printer }) {
    const inspection = unwrap(await inspectToken(caller, { text, from }));
    const { stoppedAt, reason, report } = inspection;
    if (output.json) {
      await printer.document(inspectionDocument(inspection));
    } else {
      await printer.list([inspection.steps], stepView(inspection));
      if (inspection.keyId !== null) await printer.item(inspection, claimsView);
      if (report) await printer.item(report, tokenView);
    }
    if (stoppedAt === null) return printer.note(accepted(inspection, from) + expiryOf(inspection));
    const why = `The token would be refused (${reason}): ${whyNot(stoppedAt, report)}.`;
    throw new CommandError('someFailed', why);
  },
});

function accepted({ report }: TokenInspection, from: string | undefined): string {
  const networks = report?.networks ?? null;
  if (networks?.mode === 'enforced' && from === undefined)
    return `The token would be accepted from ${networkTexts(networks).join(', ')}. Add --from ADDRESS to check one client.`;
  return from !== undefined && networks?.mode === 'report-only' && isOutside(networks, from)
    ? `The token would be accepted from ${from}, and reported, because its networks are report-only.`
    : 'The token would be accepted.';
}

/** Says when the token expires, if that is soon. */
function expiryOf({ report }: TokenInspection): string {
  if (!report || report.expiresAt === null || report.expiresAt - report.at > EXPIRES_SOON_MS) return '';
  return ` It expires soon, at ${shortTime(report.expiresAt)}.`;
}
