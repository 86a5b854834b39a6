import type { TokenStatus } from '@gatehouse/domain/tokens';
import type { ServiceAccount, ServiceAccountFate, UserId, UserWithTokens } from '@gatehouse/domain/users';
import { shortTime } from '@gatehouse/extension-kit/cli';
import type { Cli, Gatehouse } from '../cli.ts';
import { defineSteps } from '../described/kinds.ts';
import { type CommandError, usageError } from '../errors/command-error.ts';
import { unwrap } from '../errors/refusals.ts';
import { OWNER } from '../input/parsers.ts';
import { canAsk } from '../input/prompt.ts';
import { createPrinter } from '../output/printer.ts';
import { counted } from '../views/count.ts';
import { timeAgo } from '../views/time.ts';
import { userView } from '../views/user-view.ts';
import { REASON, USER } from './shared-options.ts';
import {
  answeredBy,
  askForFates,
  chosenFate,
  FATE_OPTIONS,
  fatesInWords,
  sameFate,
} from './user-disable/fates.ts';
import { askForOwners, ownersFrom, type TokenOwners } from './user-disable/token-owners.ts';

/** Maximum number of tokens that are listed before a question. */
const MAX_LISTED = 50;

export const userDisable = defineSteps({
  verb: 'disable',
  summary:
    "Disable a user and revoke the user's tokens; API tokens can be given to another admin or a service account",
  arguments: { email: USER },
  options: {
    transferTokens: {
      ...OWNER,
      description:
        "Give the user's live API tokens to this admin, or to the service account with this id, whose rights they then have",
    },
    giveToken: {
      value: 'token=owner',
      description: 'Give one API token, by its id, to an admin or a service account; repeat for several',
      several: true,
    },
    ...FATE_OPTIONS,
    reason: REASON,
  },
  notes: [
    'If the user answers for service accounts, the command asks about each at a terminal; otherwise one of the options must say what happens to them (exit status 5).',
    'At a terminal, the command asks who gets the API tokens. If the new owner already has a token with the same name, the transferred token is renamed, for example to "ERP (2)". With --transfer-tokens, such a transfer is refused (exit status 5).',
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
  async steps(
    gatehouse,
    caller,
    { email, transferTokens, giveToken = [], reason = null, ...given },
    { cli, printer, confirm },
  ) {
    let owners: TokenOwners = {
      transferTo: transferTokens ?? null,
      tokens: await ownersFrom(gatehouse, cli, giveToken),
    };
    const decided = await chosenFate(gatehouse, cli, given);
    let fates: Map<UserId, ServiceAccountFate> | undefined;
    await confirm(async () => {
      const query = { email, limit: MAX_LISTED + 1 };
      const found = unwrap(await gatehouse.findLiveTokens(caller, query));
      const { user, tokens } = found;
      if (!canAsk(cli.streams)) throw unconfirmed(found, owners.transferTo);
      if (user.disabledAt !== null) return undefined;
      // The note is printed even with `--quiet`.
      const { note } = createPrinter(cli, {});
      await note(`${user.email} (${user.name}), ${user.role} of account ${user.accountId}.`);
      for (const line of tokenLines(tokens)) await note(line);
      if (transferTokens === undefined && giveToken.length === 0 && holdsApiTokens(tokens))
        owners = await askForOwners(
          cli,
          gatehouse,
          user,
          tokens.filter(({ kind }) => kind === 'api'),
        );
      const answered = decided === undefined ? await answeredBy(gatehouse, cli, user) : [];
      for (const line of answeredLines(answered)) await note(line);
      if (answered.length > 0) fates = await askForFates(cli, gatehouse, user, answered);
      return tokens.length === 0 ? [] : [fateOf(tokens, owners)];
    });
    // Transferred tokens are renamed if their names are taken, but only if the command asked at a prompt, where the
    // user sees the new names. A script would keep using the old names.
    const renameTaken = transferTokens === undefined && giveToken.length === 0;
    const serviceAccounts = fates ?? (await decidedFates(gatehouse, cli, email, decided));
    const input = { email, reason, ...owners, serviceAccounts, renameTaken };
    // This can take seconds, because each token gets an audit event, and a user can have many tokens.
    const disable = () => gatehouse.disableUser(caller, input);
    const disabled = unwrap(await printer.progress(`Disabling ${email}`, disable));
    const { user, already, transferred, renamed, revoked } = disabled;
    const { transferTo } = owners;
    const to = transferTo === null || owners.tokens.size > 0 ? 'the chosen owners' : transferTo;
    const isMoving = transferTo !== null || owners.tokens.size > 0;
    const moved = isMoving ? ` Transferred ${counted(transferred, 'token')} to ${to}.` : '';
    await printer.note(
      already
        ? `${user.email} was already disabled at ${shortTime(user.disabledAt)}.`
        : `Disabled ${user.email}.${moved} Revoked ${counted(revoked, 'token')}.${fatesInWords(disabled.serviceAccounts)}`,
    );
    for (const { before, after } of renamed) {
      await printer.note(
        `Renamed "${before}" to "${after}": ${transferTo ?? 'the new owner'} already has a token "${before}".`,
      );
    }
    await printer.document(userView.document(user));
  },
});

/** The fate that an option chose, for each service account for which the user answers. */
async function decidedFates(
  gatehouse: Gatehouse,
  cli: Cli,
  email: string,
  decided: ServiceAccountFate | undefined,
): Promise<Map<UserId, ServiceAccountFate>> {
  const found = decided && (await gatehouse.findUser(cli.operator, email));
  return sameFate(found?.ok ? await answeredBy(gatehouse, cli, found.value) : [], decided);
}

function unconfirmed({ user, tokens }: UserWithTokens, transferTo: string | null): CommandError {
  const loss = tokens.length === 0 ? 'The user has no live tokens' : `This revokes ${tokensInShort(tokens)}`;
  const remedy =
    transferTo === null
      ? '; --transfer-tokens OWNER gives the API tokens to another admin or to a service account'
      : `; the API tokens are transferred to ${transferTo}`;
  return usageError(
    `There is no terminal to ask for confirmation: add --yes to disable ${user.email}. ${loss}${holdsApiTokens(tokens) ? remedy : ''}.`,
  );
}

/** Says which tokens will be transferred to another admin, and which will be revoked. */
function fateOf(tokens: readonly TokenStatus[], { transferTo, tokens: single }: TokenOwners): string {
  if (single.size > 0)
    return `${counted(single.size, 'API token')} will be given away, and all other tokens will be revoked.`;
  if (transferTo === null) return 'All of these tokens will be revoked; this cannot be undone.';
  const others = tokens.some((token) => token.kind !== 'api') ? ', and the other tokens will be revoked' : '';
  return `The API tokens will be transferred to ${transferTo}${others}.`;
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

/** Describes the service accounts for which the user answers, one line each. */
function answeredLines(answered: readonly ServiceAccount[]): readonly string[] {
  if (answered.length === 0) return [];
  return [
    'The user answers for these service accounts:',
    ...answered.map(({ user }) => `  "${user.name}" (${user.id})`),
  ];
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
