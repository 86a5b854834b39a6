import type { TokenStatus } from '@gatehouse/domain/tokens';
import { canReceiveTokens, type User, type UserWithTokens } from '@gatehouse/domain/users';
import { shortTime } from '@gatehouse/extension-kit/cli';
import type { Cli, Gatehouse } from '../cli.ts';
import { defineSteps } from '../described/kinds.ts';
import { type CommandError, usageError } from '../errors/command-error.ts';
import { unwrap } from '../errors/refusals.ts';
import { EMAIL } from '../input/parsers.ts';
import { askForLine, canAsk } from '../input/prompt.ts';
import { createPrinter } from '../output/printer.ts';
import { counted } from '../views/count.ts';
import { timeAgo } from '../views/time.ts';
import { userView } from '../views/user-view.ts';
import { REASON, USER } from './shared-options.ts';

/** Maximum number of tokens that are listed before a question. */
const MAX_LISTED = 50;

export const userDisable = defineSteps({
  verb: 'disable',
  summary: "Disable a user and revoke the user's tokens; API tokens can be transferred to another admin",
  arguments: { email: USER },
  options: {
    transferTokens: {
      ...EMAIL,
      description:
        "Transfer the user's live API tokens to this admin of the account, whose rights they then have",
    },
    reason: REASON,
  },
  notes: [
    'At a terminal, the command asks to whom to transfer the API tokens. If the new owner already has a token with the same name, the transferred token is renamed, for example to "ERP (2)". With --transfer-tokens, such a transfer is refused (exit status 5).',
  ],
  examples: [
    'gatehouse user disable bo@acme.example',
    'gatehouse user disable bo@acme.example --transfer-tokens ada@acme.example --reason "left" --yes',
  ],
  asks: {
    action: 'disable the user',
    question: 'Disable this user?',
    declined: 'The user was not disabled.',
    factsFirst: true,
  },
  prints: 'change',
  async steps(gatehouse, caller, { email, transferTokens, reason = null }, { cli, printer, confirm }) {
    let transferTo = transferTokens ?? null;
    await confirm(async () => {
      const query = { email, limit: MAX_LISTED + 1 };
      const found = unwrap(await gatehouse.findLiveTokens(caller, query));
      const { user, tokens } = found;
      if (!canAsk(cli.streams)) throw unconfirmed(found, transferTo);
      if (user.disabledAt !== null) return undefined;
      // The note is printed even with `--quiet`.
      const { note } = createPrinter(cli, {});
      await note(`${user.email} (${user.name}), ${user.role} of account ${user.accountId}.`);
      for (const line of tokenLines(tokens)) await note(line);
      if (transferTo === null && holdsApiTokens(tokens))
        transferTo = await offerTransfer(cli, gatehouse, user);
      return tokens.length === 0 ? [] : [fateOf(tokens, transferTo)];
    });
    // Transferred tokens are renamed if their names are taken, but only if the command asked at a prompt, where the
    // user sees the new names. A script would keep using the old names.
    const input = { email, reason, transferTo, renameTaken: transferTokens === undefined };
    // This can take seconds, because each token gets an audit event, and a user can have many tokens.
    const disable = () => gatehouse.disableUser(caller, input);
    const disabled = unwrap(await printer.progress(`Disabling ${email}`, disable));
    const { user, already, transferred, renamed, revoked } = disabled;
    const moved =
      transferTo === null ? '' : ` Transferred ${counted(transferred, 'token')} to ${transferTo}.`;
    await printer.note(
      already
        ? `${user.email} was already disabled at ${shortTime(user.disabledAt)}.`
        : `Disabled ${user.email}.${moved} Revoked ${counted(revoked, 'token')}.`,
    );
    for (const { before, after } of renamed) {
      await printer.note(`Renamed "${before}" to "${after}": ${transferTo} already has a token "${before}".`);
    }
    await printer.document(userView.document(user));
  },
});

function unconfirmed({ user, tokens }: UserWithTokens, transferTo: string | null): CommandError {
  const loss = tokens.length === 0 ? 'The user has no live tokens' : `This revokes ${tokensInShort(tokens)}`;
  const remedy =
    transferTo === null
      ? '; --transfer-tokens EMAIL gives the API tokens to another admin'
      : `; the API tokens are transferred to ${transferTo}`;
  return usageError(
    `There is no terminal to ask for confirmation: add --yes to disable ${user.email}. ${loss}${holdsApiTokens(tokens) ? remedy : ''}.`,
  );
}

/** Says which tokens will be transferred to another admin, and which will be revoked. */
function fateOf(tokens: readonly TokenStatus[], transferTo: string | null): string {
  if (transferTo === null) return 'All of these tokens will be revoked; this cannot be undone.';
  const others = tokens.some((token) => token.kind !== 'api') ? ', and the other tokens will be revoked' : '';
  return `The API tokens will be transferred to ${transferTo}${others}.`;
}

async function offerTransfer(cli: Cli, gatehouse: Gatehouse, user: User): Promise<string | null> {
  const offer = 'Email of the admin who gets the API tokens (leave empty to revoke them):';
  const typed = await askForLine(cli, offer, async (text) => {
    if (text.trim() === '') return undefined;
    const found = await gatehouse.findUser(cli.operator, text.trim());
    return found.ok && canReceiveTokens(user, found.value)
      ? undefined
      : 'This is not another active admin of the account: type a different address, or leave it empty';
  });
  return typed.trim() || null;
}

function holdsApiTokens(tokens: readonly TokenStatus[]): boolean {
  return tokens.some((token) => token.kind === 'api');
}

/** Describes the tokens, one line each. */
function tokenLines(tokens: readonly TokenStatus[]): readonly string[] {
  if (tokens.length === 0) return ['The user has no live tokens.'];
  const lines = tokens.slice(0, MAX_LISTED).map(({ name, id, kind, expiresAt, usage, at }) => {
    const expiry = expiresAt === null ? 'never expires' : `expires ${shortTime(expiresAt)}`;
    return `  "${name}" (${id}), ${kind}, last used ${timeAgo(usage.lastUsedAt, at)}, ${expiry}`;
  });
  if (tokens.length > MAX_LISTED) lines.push('  and more: `gatehouse token list --creator EMAIL` lists all');
  return ['Live tokens:', ...lines];
}

/** Returns the number of tokens, and the names of the API tokens, because integrations use these. */
function tokensInShort(tokens: readonly TokenStatus[]): string {
  const names = tokens
    .slice(0, MAX_LISTED)
    .filter((token) => token.kind === 'api')
    .map((token) => `"${token.name}"`);
  const count = counted(tokens.length, 'live token', { max: MAX_LISTED });
  return names.length === 0 ? count : `${count}, including the API tokens ${names.join(', ')}`;
}
