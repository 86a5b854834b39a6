import { parseTokenId, type TokenId } from '@gatehouse/domain/tokens';
import { canReceiveTokens, type User, type UserId } from '@gatehouse/domain/users';
import type { Cli, Gatehouse } from '../../cli.ts';
import { usageError } from '../../errors/command-error.ts';
import { ownerEmail } from '../../input/owner-email.ts';
import { askForLine } from '../../input/prompt.ts';

/** Typed at the prompt instead of an address, to be asked about each token. */
const EACH = 'each';

const UNFIT =
  'This is neither another active admin nor a service account: type the email of an admin, the id of a service account, or leave it empty to revoke';

/** Who gets the API tokens of the user: all of them, or single ones by their ids. */
export interface TokenOwners {
  readonly transferTo: string | null;
  readonly tokens: ReadonlyMap<TokenId, UserId>;
}

/** Reads `TOKEN=OWNER`, such as an id, `=` and the address of an admin or the id of a service account. */
export async function ownersFrom(
  gatehouse: Gatehouse,
  cli: Cli,
  given: readonly string[],
): Promise<TokenOwners['tokens']> {
  const owners = new Map<TokenId, UserId>();
  for (const pair of given) {
    const [token = '', owner = ''] = pair.split(/=(.*)/s);
    const id = parseTokenId(token);
    if (id === undefined) throw usageError(`--give-token ${pair}: begin with the id of a token and =.`);
    const found = await gatehouse.findUser(cli.operator, ownerEmail(owner));
    if (!found.ok) throw usageError(`--give-token ${pair}: there is no such user or service account.`);
    owners.set(id, found.value.id);
  }
  return owners;
}

/** Asks who gets the API tokens: all of them one owner, or each its own. */
export async function askForOwners(
  cli: Cli,
  gatehouse: Gatehouse,
  user: User,
  tokens: readonly { readonly id: TokenId; readonly name: string }[],
): Promise<TokenOwners> {
  const find = async (text: string) => {
    const found = await gatehouse.findUser(cli.operator, ownerEmail(text.trim()));
    return found.ok && canReceiveTokens(user, found.value) ? found.value : undefined;
  };
  const ask = (question: string, ...words: readonly string[]) =>
    askForLine(cli, question, async (text) => {
      if (text.trim() === '' || words.includes(text.trim())) return undefined;
      return (await find(text)) ? undefined : UNFIT;
    });
  const typed = await ask(`New owner of the API tokens, or "${EACH}" (leave empty to revoke them):`, EACH);
  if (typed.trim() !== EACH)
    return { transferTo: typed.trim() === '' ? null : ownerEmail(typed.trim()), tokens: new Map() };
  const owners = new Map<TokenId, UserId>();
  for (const { id, name } of tokens) {
    const owner = await find(await ask(`New owner of "${name}" (leave empty to revoke it):`));
    if (owner) owners.set(id, owner.id);
  }
  return { transferTo: null, tokens: owners };
}
