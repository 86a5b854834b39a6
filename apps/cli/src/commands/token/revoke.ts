import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../errors/command-error.ts';
import { admin, requireActor } from '../../input/caller.ts';
import { CONSENTS, consentTo } from '../../input/consent.ts';
import type { ActingOptions, ChangeOptions } from '../../input/options.ts';
import { asOption, changeOptions, REASON } from '../../input/options.ts';
import { toName } from '../../input/parsers.ts';
import { readPastedTokens } from '../../input/pasted-tokens.ts';
import { createPrinter } from '../../output/printer.ts';
import { revocationImpact } from './revocation-impact.ts';
import { revokeAll } from './revoke-all.ts';
import { findTargets, printTargets } from './revoke-targets.ts';
import { leftWorking, stillWorks } from './still-working.ts';

interface Options extends ActingOptions, ChangeOptions {
  readonly dryRun?: true;
  readonly stdin?: true;
  readonly both?: true;
}

export function tokenRevoke(token: Command, cli: Cli): void {
  const command = token
    .command('revoke')
    .description('Permanently revoke tokens, everywhere')
    .argument('[id-or-name...]', "The tokens' ids, or the names of API tokens")
    .addOption(asOption('The admin who revokes them'))
    .option(...REASON)
    .option(
      '--stdin',
      'Read the tokens themselves from standard input, one per line or in a scanner’s report, or ask for one without echo',
    )
    .addOption(
      new Option(
        '--both',
        'Also revoke the tokens that were replaced by these, or replace them, and still work',
      ).conflicts('stdin'),
    )
    .option('--dry-run', 'Print what would break, without revoking anything');
  changeOptions(command, {
    asks: true,
    notes: [
      'If one fails, the rest are still revoked (exit status 6). A name is that of the only live token of the account that has it; after a rotation, of the new token. The old token then goes on working, which the command says, and --both revokes it, too. If several owners have a live token of the name, the tokens are listed (exit status 5). With --json, one token is printed as one document; several, and with --both always, as an array in the order given, where one that failed is {"id", "error"}, {"name", "error"} or, with --stdin, {"line", "error"}. With --stdin, a token needs only a valid signature: one that has expired, or whose user is disabled, is found as well. The report of a scanner for secrets is text with tokens anywhere in it, such as SARIF, or the JSON or CSV of gitleaks; tokens in it that are unknown, or of another account, are counted and no failure.',
    ],
    examples: [
      'gatehouse token revoke ERP --as ada@acme.example --reason leaked',
      'gatehouse token revoke 019a0000-0000-7000-8000-000000000000 --as ada@acme.example',
      'gatehouse token revoke --as ada@acme.example --stdin --yes < leaked-tokens.txt',
      "gatehouse token revoke --as ada@acme.example --stdin --yes --reason 'found by gitleaks' < report.json",
    ],
  });
  command.action(async (texts: readonly string[], options: Options) => {
    const references = referencesFrom(texts, options);
    const email = requireActor(options.as);
    const confirm = consentTo(cli, CONSENTS['token revoke'], options.yes || options.dryRun);
    const pasted = options.stdin ? await readPastedTokens(cli) : NONE;
    await using gatehouse = await cli.open();
    const caller = await admin(cli, gatehouse, email);
    const printer = createPrinter(cli, options);
    const both = options.both ?? false;
    const all = await findTargets(gatehouse, caller, { references, pasted: pasted.tokens, both });
    const targets = pasted.areFromReport ? all.filter(({ outcome }) => outcome.ok) : all;
    if (pasted.areFromReport) await printer.note(countsOf(all.length, targets.length));
    const found = targets.flatMap(({ outcome }) => (outcome.ok ? [outcome.value] : []));
    const left = leftWorking(found.map(({ id, alsoLive = [] }) => ({ id, alsoLive })));
    const hints = left.map((token) => stillWorks(token, ': --both revokes it, too'));
    if (options.dryRun) {
      for (const line of [...found.map(revocationImpact), ...hints]) await printer.note(line);
      await printer.note('Nothing was revoked: this was a dry run.');
      return printTargets(printer, targets, { asArray: both });
    }
    // Revoking a token again breaks nothing.
    const live = found.filter((token) => token.revocation === null);
    await confirm(async () =>
      live.length === 0
        ? undefined
        : { lines: [...live.map(revocationImpact), ...hints], count: live.length },
    );
    const by = { cli, gatehouse, caller, printer, reason: options.reason ?? null };
    const done = await revokeAll(by, targets);
    for (const token of left) {
      await printer.note(stillWorks(token, `: \`gatehouse token revoke ${token.id}\` revokes it`));
    }
    await printTargets(printer, done, { asArray: both });
  });
}

const NONE = { tokens: [], areFromReport: false };

function countsOf(all: number, known: number): string {
  const tokens = all === 1 ? 'one token' : `${all} tokens`;
  return `The report has ${tokens}: ${known} of this account, ${all - known} unknown.`;
}

/** The beginnings of tokens. Text with one of them may be a secret and is not repeated in messages. */
const TOKEN = /^(v\d\.|eyJ|bearer )/i;

function referencesFrom(texts: readonly string[], { stdin }: Options): readonly string[] {
  if (stdin && texts.length > 0) {
    throw usageError('Name tokens by id or name, or give the tokens themselves with --stdin, but not both.');
  }
  if (!stdin && texts.length === 0) {
    throw usageError('Name the tokens by id or name, or give the tokens themselves with --stdin.');
  }
  if (texts.some((text) => TOKEN.test(text))) {
    throw usageError('This is a token, not its id or name: give it on standard input, with --stdin.');
  }
  return texts.map(toName);
}
