import { authorized, ISSUE_TOKENS, type Principal, type Scope } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import type { Ports } from '../../ports.ts';
import { type InvalidInput, invalid, ok, type Result } from '../../result.ts';
import { checkName } from '../../text.ts';
import { type Instant, LAST_INSTANT } from '../../time/instant.ts';
import type { TokenFormat } from '../token.ts';
import { tokenCreated } from '../token-events.ts';
import { type MintTokenPorts, mintToken } from './mint-token.ts';

/** When the token expires: after this many milliseconds, at a time, or never. */
export type Expiry = { readonly in: number } | { readonly at: Instant } | 'never';

export interface IssueTokenInput {
  readonly name: string;
  readonly format: TokenFormat;
  readonly scopes: readonly Scope[];
  readonly expiry: Expiry;
}

/** Issues an API token that acts with its creator's rights, narrowed by its scopes. */
export const issueToken = authorized(
  ISSUE_TOKENS,
  (ports: MintTokenPorts & Ports<'tokens' | 'clock'>) =>
    async (caller: Principal, { format, scopes, ...input }: IssueTokenInput) => {
      const name = checkName('name', input.name);
      if (!name.ok) return name;
      const createdAt = ports.clock.now();
      const expiresAt = expiryFrom(createdAt, input.expiry);
      if (!expiresAt.ok) return expiresAt;

      const { accountId, userId } = caller;
      const minted = await mintToken(ports, {
        accountId,
        userId,
        kind: 'api',
        name: name.value,
        format,
        scopes,
        createdAt,
        expiresAt: expiresAt.value,
        replaces: null,
      });
      if (!minted.ok) return minted;
      const { record } = minted.value;
      const stored = await ports.tokens.insert(record, {}, eventBy(caller, tokenCreated(record)));
      return stored.ok ? minted : stored;
    },
);

function expiryFrom(now: Instant, expiry: Expiry): Result<Instant | null, InvalidInput> {
  if (expiry === 'never') return ok(null);
  const at = 'at' in expiry ? expiry.at : ((now + expiry.in) as Instant);
  // At least one second, because expiries are whole seconds and the token would otherwise never be accepted.
  if (at < now + 1000 || at > LAST_INSTANT) {
    return invalid('expires_at', 'must be in the future, and before the year 10000');
  }
  return ok(at);
}
