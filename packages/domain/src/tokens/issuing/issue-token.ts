import { authorized, ISSUE_TOKENS, type Principal } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import { refuseWhileOlder } from '../../editions/refuse-while-older.ts';
import { guardFacts } from '../../guards/guard-facts.ts';
import type { Ports } from '../../ports.ts';
import { err, ok } from '../../result.ts';
import { scopeChoices } from '../../services/scope-choices.ts';
import { checkName } from '../../text.ts';
import { findRules } from '../../token-policy/find-rules.ts';
import { limitProblem } from '../../token-policy/token-limit.ts';
import { findServiceAccount } from '../../users/service-accounts/manage-service-accounts.ts';
import type { UserId } from '../../users/user.ts';
import { checkDescription } from '../administration/token-description.ts';
import { type NetworksInput, parseTokenNetworks } from '../networks/token-networks.ts';
import type { TokenFormat, TokenId } from '../token.ts';
import { tokenCreated } from '../token-events.ts';
import { type Expiry, endFrom, lifetimeToExpiry } from './expiry.ts';
import { type MintTokenPorts, mintToken } from './mint-token.ts';

export interface IssueTokenInput {
  /** The id of the token. A repeated request with the same id does not issue a second token. Default: a new id. */
  readonly id?: TokenId | undefined;
  /** The service account that is to own the token. Default: the caller. */
  readonly owner?: UserId | undefined;
  readonly name: string;
  readonly format: TokenFormat;
  /** Scopes of the API and of services that are open to the caller's account. */
  readonly scopes: readonly string[];
  /** Default: the default lifetime of the account. */
  readonly expiry?: Expiry | undefined;
  /** The purpose of the token. Default: no description. */
  readonly description?: string | undefined;
  /** The networks from which the token may be used. Default: everywhere. */
  readonly networks?: NetworksInput | undefined;
}

/**
 * Issues an API token. The token has the rights of its owner, limited by its scopes. The owner is the caller, or a
 * service account of the same account. An id that any token already has is refused: a caller who chooses an id must not
 * get the token of another caller.
 */
export const issueToken = authorized(
  ISSUE_TOKENS,
  (
    ports: MintTokenPorts &
      Ports<
        | 'tokens'
        | 'tokenPolicies'
        | 'serviceAccounts'
        | 'catalog'
        | 'services'
        | 'clock'
        | 'editions'
        | 'guards'
      >,
  ) =>
    async (caller: Principal, { id, owner, format, ...input }: IssueTokenInput) => {
      const name = checkName('name', input.name);
      if (!name.ok) return name;
      const description = checkDescription(input.description ?? '');
      if (!description.ok) return description;
      const { accountId } = caller;
      const service =
        owner === undefined ? undefined : await findServiceAccount(ports.serviceAccounts, caller, owner);
      if (service && !service.ok) return service;
      const { id: userId, kind: holder } = service?.value.user ?? { id: caller.userId, kind: 'person' };
      const createdAt = ports.clock.now();
      const rules = await findRules(ports, accountId, holder);
      const expiry = input.expiry ?? lifetimeToExpiry(rules.defaultLifetimeMs);
      const expiresAt = expiry === 'never' ? ok(null) : endFrom(createdAt, expiry);
      if (!expiresAt.ok) return expiresAt;

      const { catalog, services } = ports;
      const scopes = scopeChoices(catalog, await services.list(), accountId).parse(input.scopes);
      if (!scopes.ok) return scopes;
      const networks = input.networks === undefined ? ok(null) : parseTokenNetworks(input.networks);
      if (!networks.ok) return networks;
      const known = networks.value === null ? ok(undefined) : await refuseWhileOlder(ports);
      if (!known.ok) return known;
      const token = { expiresAt: expiresAt.value, scopes: scopes.value, networks: networks.value };
      const broken = limitProblem(rules, holder, token, createdAt);
      if (broken) return err(broken);
      const asked = { name: name.value, ...token, owner: { id: userId, kind: holder }, replaces: null };
      const guarded = await ports.guards.check(
        'token.create',
        asked,
        guardFacts(caller, accountId, createdAt),
      );
      if (!guarded.ok) return guarded;
      const minted = await mintToken(ports, {
        id,
        accountId,
        userId,
        kind: 'api',
        name: name.value,
        format,
        ...token,
        createdAt,
        replaces: null,
      });
      if (!minted.ok) return minted;
      const { record } = minted.value;
      const event = eventBy(caller, tokenCreated(record, description.value));
      const stored = await ports.tokens.insert(record, event, description.value);
      return stored.ok ? minted : stored;
    },
);
