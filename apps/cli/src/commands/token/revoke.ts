import { defineSteps } from '../../described/kinds.ts';
import { NAME } from '../../input/parsers.ts';
import { readPastedTokens } from '../../input/pasted-tokens.ts';
import { REASON } from '../shared-options.ts';
import { leftWorking, revocationImpact, stillWorks } from './revocation-impact.ts';
import { findTargets, printTargets, revokeAll } from './revoke-all.ts';

const NONE = { tokens: [], areFromReport: false };

/** Matches the beginning of a token. An argument that matches may be a secret, so messages do not repeat it. */
const TOKEN = /^(v\d\.|eyJ|bearer )/i;

export const tokenRevoke = defineSteps({
  verb: 'revoke',
  summary: 'Permanently revoke tokens, everywhere',
  arguments: {
    idOrName: {
      ...NAME,
      description: "The tokens' ids, or the names of API tokens",
      several: true,
      optional: true,
    },
  },
  as: { description: 'The admin who revokes the tokens', required: true },
  options: {
    reason: REASON,
    stdin: {
      description:
        'Read the tokens themselves from standard input, one per line or in a secret scanner’s report; at a terminal, ask for one token without echo',
    },
    both: {
      description:
        'After a rotation, revoke both the old and the new token: also the one that the argument does not name, if it still works',
      conflicts: ['stdin'],
    },
    dryRun: { description: 'Print what would break, without revoking anything' },
  },
  notes: [
    'If one token cannot be revoked, the other tokens still are (exit status 6). A name means the live token of the account with that name; after a rotation, the new token. The command then reports that the old token still works; --both revokes the old token as well. If several owners have a live token with the name, the command lists these tokens (exit status 5).',
    'With --json, one token is printed as one document. Several tokens, and any tokens with --both, are printed as an array in the order given. A token that could not be revoked is {"id", "error"}, {"name", "error"} or, with --stdin, {"line", "error"}.',
    'With --stdin, a token needs only a valid signature: expired tokens and tokens of disabled users are found as well. The report of a secret scanner can be any text that contains tokens, such as SARIF, or the JSON or CSV of gitleaks. Tokens in a report that are unknown, or that belong to another account, are only counted, and do not change the exit status.',
  ],
  examples: [
    'gatehouse token revoke ERP --as ada@acme.example --reason leaked',
    'gatehouse token revoke 019a0000-0000-7000-8000-000000000000 --as ada@acme.example',
    'gatehouse token revoke --as ada@acme.example --stdin --yes < leaked-tokens.txt',
    "gatehouse token revoke --as ada@acme.example --stdin --yes --reason 'found by gitleaks' < report.json",
  ],
  check({ idOrName: texts = [], stdin }) {
    if (stdin && texts.length > 0) {
      return 'Name tokens by id or name, or give the tokens themselves with --stdin, but not both.';
    }
    if (!stdin && texts.length === 0) {
      return 'Name the tokens by id or name, or give the tokens themselves with --stdin.';
    }
    return texts.some((text) => TOKEN.test(text))
      ? 'This is a token, not its id or name: give it on standard input, with --stdin.'
      : undefined;
  },
  asks: {
    action: 'revoke the tokens',
    question: 'Integrations using this token will stop working immediately. Revoke it?',
    plural: 'Integrations using these tokens will stop working immediately. Revoke all of them?',
    declined: 'Nothing was revoked.',
    when: ({ dryRun }) => !dryRun,
  },
  prints: 'change',
  read: async ({ stdin }, cli) => ({ pasted: stdin ? await readPastedTokens(cli) : NONE }),
  async steps(gatehouse, caller, { idOrName, pasted, reason = null, both = false, dryRun }, tools) {
    const { printer, confirm } = tools;
    const given = { references: idOrName ?? [], pasted: pasted.tokens, both };
    const all = await findTargets(gatehouse, caller, given);
    const targets = pasted.areFromReport ? all.filter(({ outcome }) => outcome.ok) : all;
    if (pasted.areFromReport) await printer.note(countsOf(all.length, targets.length));
    const found = targets.flatMap(({ outcome }) => (outcome.ok ? [outcome.value] : []));
    const left = leftWorking(found.map(({ id, alsoLive = [] }) => ({ id, alsoLive })));
    const hints = left.map((token) => stillWorks(token, '. With --both, the command revokes it as well'));
    if (dryRun) {
      for (const line of [...found.map(revocationImpact), ...hints]) await printer.note(line);
      await printer.note('Nothing was revoked: this was a dry run.');
      return printTargets(printer, targets, { asArray: both });
    }
    // Only tokens that are not revoked yet need a question.
    const live = found.filter((token) => token.revocation === null);
    await confirm(async () =>
      live.length === 0
        ? undefined
        : { lines: [...live.map(revocationImpact), ...hints], count: live.length },
    );
    const done = await revokeAll({ ...tools, gatehouse, caller, reason }, targets);
    for (const token of left) {
      await printer.note(stillWorks(token, `: \`gatehouse token revoke ${token.id}\` revokes it`));
    }
    return printTargets(printer, done, { asArray: both });
  },
});

function countsOf(all: number, known: number): string {
  const tokens = all === 1 ? 'one token' : `${all} tokens`;
  return `The report has ${tokens}: ${known} of this account, ${all - known} unknown.`;
}
