import type { UserWithTokens } from '@gatehouse/domain/users';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { askForConsent } from '../../input/consent.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { toName } from '../../input/parsers.ts';
import { askForLine, canAsk } from '../../input/prompt.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { withProgress } from '../../output/progress.ts';
import { shortTime } from '../../views/time.ts';
import { userView } from '../../views/user-view.ts';
import { holdsApiTokens, MOST_LISTED, tokenLines, tokensInShort } from './doomed-tokens.ts';

interface Options extends OutputOptions {
  readonly transferTokens?: string;
  readonly reason?: string;
  readonly yes?: true;
}

export function userDisable(user: Command, cli: Cli): void {
  outputOptions(
    user
      .command('disable')
      .description("end a user's access, and the user's tokens for good; API tokens can go to another admin"),
  )
    .argument('<email>', "the user's email address")
    .option(
      '--transfer-tokens <email>',
      'give the live API tokens to this admin of the account; they then have the rights of that admin',
      toName,
    )
    .option('--reason <text>', 'why, for the record')
    .option('--yes', 'do not ask; needed where there is no terminal to ask at')
    .addHelpText(
      'after',
      examples(
        'gatehouse user disable bo@acme.example',
        'gatehouse user disable bo@acme.example --transfer-tokens ada@acme.example --reason "left" --yes',
      ),
    )
    .action(async (email: string, { transferTokens, reason, yes, ...output }: Options) => {
      const printer = createPrinter(cli.streams, output);
      await using gatehouse = await cli.open();
      let transferTo = transferTokens ?? null;
      if (!yes) {
        const query = { email, limit: MOST_LISTED + 1 };
        const found = unwrap(await gatehouse.findLiveTokens(cli.operator, query));
        if (!canAsk(cli.streams)) throw unconfirmed(found, transferTo);
        transferTo = await confirm(cli, found, transferTo);
      }
      const input = { email, reason: reason ?? null, transferTo };
      // A user may have very many tokens, and each of them gets its event.
      const disabled = unwrap(
        await withProgress(cli, output, `Disabling ${email}`, () =>
          gatehouse.disableUser(cli.operator, input),
        ),
      );
      const { email: called, disabledAt } = disabled.user;
      if (disabled.already)
        await printer.note(`${called} was disabled already, at ${shortTime(disabledAt)}.`);
      else {
        const transferred =
          transferTo === null ? '' : ` Tokens transferred to ${transferTo}: ${disabled.transferred}.`;
        await printer.note(`${called} is disabled.${transferred} Tokens revoked: ${disabled.revoked}.`);
      }
      await printer.document(userView.document(disabled.user));
    });
}

function unconfirmed({ user, tokens }: UserWithTokens, transferTo: string | null) {
  const offer =
    transferTo === null
      ? 'give the API tokens to another admin with --transfer-tokens EMAIL'
      : `the API tokens go to ${transferTo}`;
  const loss = tokens.length === 0 ? 'no live tokens end' : tokensInShort(tokens);
  return usageError(
    `There is no terminal to ask at: confirm with --yes that ${user.email} is to be disabled; ${
      holdsApiTokens(tokens) ? `${loss}; ${offer}` : loss
    }.`,
  );
}

/** Says what would end, offers to give it away, and asks. Answers who gets the API tokens. */
async function confirm(
  cli: Cli,
  { user, tokens }: UserWithTokens,
  transferTo: string | null,
): Promise<string | null> {
  if (user.disabledAt !== null) return transferTo;
  const printer = createPrinter(cli.streams, {});
  await printer.note(`${user.email} (${user.name}), ${user.role} of account ${user.accountId}.`);
  for (const line of tokenLines(tokens)) await printer.note(line);
  const offered = transferTo === null && holdsApiTokens(tokens);
  const target = offered ? await offerTransfer(cli) : transferTo;
  const rest =
    target === null
      ? 'All of these tokens end for good.'
      : `The API tokens go to ${target}, and the others end.`;
  await askForConsent(cli, {
    question: `${tokens.length === 0 ? '' : `${rest} `}Disable ${user.email}?`,
    declined: 'Nobody was disabled.',
  });
  return target;
}

async function offerTransfer(cli: Cli): Promise<string | null> {
  const email = await askForLine(cli, 'Email of another admin who gets the API tokens (empty: nobody):');
  return email.trim() || null;
}
