import { authorized, ISSUE_TOKENS, type Principal } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import type { Ports } from '../../ports.ts';
import { ok } from '../../result.ts';
import { scopeChoices } from '../../services/scope-choices.ts';
import { checkName } from '../../text.ts';
import { checkDescription } from '../administration/token-description.ts';
import type { TokenFormat, TokenId } from '../token.ts';
import { tokenCreated } from '../token-events.ts';
import { type Expiry, endFrom } from './expiry.ts';
import { type MintTokenPorts, mintToken } from './mint-token.ts';

export interface IssueTokenInput {
  /** The id of the token. A repeated request with the same id does not issue a second token. Default: a new id. */
  readonly id?: TokenId | undefined;
  readonly name: string;
  readonly format: TokenFormat;
  /** Scopes of the API and of services that are open to the caller's account. */
  readonly scopes: readonly string[];
  readonly expiry: Expiry;
  /** The purpose of the token. Default: no description. */
  readonly description?: string | undefined;
}

/**
 * Issues an API token. The token has the rights of its creator, limited by its scopes. An id that any token already has
 * is refused: a caller who chooses an id must not get the token of another caller.
 */
export const issueToken = authorized(
  ISSUE_TOKENS,
  (ports: MintTokenPorts & Ports<'tokens' | 'catalog' | 'services' | 'clock'>) =>
    async (caller: Principal, { id, format, ...input }: IssueTokenInput) => {
      const name = checkName('name', input.name);
      if (!name.ok) return name;
      const description = checkDescription(input.description ?? '');
      if (!description.ok) return description;
      const createdAt = ports.clock.now();
      const expiresAt = input.expiry === 'never' ? ok(null) : endFrom(createdAt, input.expiry);
      if (!expiresAt.ok) return expiresAt;

      const { accountId, userId } = caller;
      const { catalog, services } = ports;
      const scopes = scopeChoices(catalog, await services.list(), accountId).parse(input.scopes);
      if (!scopes.ok) return scopes;
      const minted = await mintToken(ports, {
        id,
        accountId,
        userId,
        kind: 'api',
        name: name.value,
        format,
        scopes: scopes.value,
        createdAt,
        expiresAt: expiresAt.value,
        replaces: null,
      });
      if (!minted.ok) return minted;
      const { record } = minted.value;
      const event = eventBy(caller, tokenCreated(record, description.value));
      const stored = await ports.tokens.insert(record, event, description.value);
      return stored.ok ? minted : stored;
    },
);
