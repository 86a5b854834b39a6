import { ok } from '@gatehouse/domain';
import type { AccountId } from '@gatehouse/domain/accounts';
import { SECOND_FACTOR_POLICIES, type SecondFactorPolicy } from '@gatehouse/domain/second-factor';
import { parseDuration } from '@gatehouse/domain/time';
import {
  type RuleChanges,
  type RulesUpdate,
  TOKEN_HOLDERS,
  type TokenFloor,
  type TokenHolder,
} from '@gatehouse/domain/token-policy';
import { defineChange } from '../../described/kinds.ts';
import { usageError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { rulesDocument, rulesInWords } from '../../views/policy-view.ts';
import { UNITS } from '../shared-options.ts';
import { ACCOUNT, accountOf, FLOOR } from './policy-account.ts';

/** A lifetime, or the word for none, such as `never`. */
const lifetimeOr = <const None extends string>(none: None) =>
  ({
    value: 'duration',
    parser: {
      parse: (text: string) => (text === none ? none : parseDuration(text)),
      expected: `a duration such as 90d (${UNITS}), or the word ${none}`,
    },
  }) as const;

export const policySet = defineChange({
  verb: 'set',
  summary: 'Change the rules of an account; tokens that exist do not change',
  arguments: { id: ACCOUNT },
  as: { description: 'The admin who changes the rules of their own account (default: the operator)' },
  options: {
    for: {
      value: 'holder',
      description: 'The tokens that the rules are about (default: those of persons and of service accounts)',
      choices: TOKEN_HOLDERS,
    },
    maxLifetime: {
      ...lifetimeOr('none'),
      description: 'The longest lifetime of a token, such as 365d, or none; a token must then expire',
    },
    mustExpire: { description: 'Refuse tokens that never expire' },
    mayNeverExpire: { description: 'Allow tokens that never expire', conflicts: ['mustExpire'] },
    defaultLifetime: {
      ...lifetimeOr('never'),
      description: 'The lifetime of a token for which none is chosen, such as 90d, or never',
    },
    scope: {
      value: 'scope',
      parser: { parse: (text: string) => text || undefined, expected: 'a scope, such as orgs:read' },
      description:
        'A scope that tokens may be given, such as orgs:read; repeat for several scopes. `*` also allows each scope of the API',
      several: true,
    },
    allScopes: { description: 'Allow all scopes', conflicts: ['scope'] },
    mustHaveNetworks: { description: 'Refuse tokens without networks that are enforced' },
    mayLackNetworks: { description: 'Allow tokens without networks', conflicts: ['mustHaveNetworks'] },
    confirmWithin: {
      ...lifetimeOr('none'),
      description:
        'Refuse the tokens of a person whom no identity provider has confirmed for so long, such as 30d, or none',
    },
    secondFactor: {
      value: 'users',
      description:
        'From whom the account demands a second factor after the password: from admins, or from no user (optional). Not with other options',
      choices: SECOND_FACTOR_POLICIES,
    },
    floor: {
      description: `Change ${FLOOR}. An account can only be stricter`,
      conflicts: ['defaultLifetime', 'confirmWithin'],
    },
  },
  notes: [
    'The rules hold for new tokens, for a new expiry, and for rotations, which shorten the lifetime. `gatehouse token list --over-policy` lists the tokens that break them, and `gatehouse token apply-policy` shortens these.',
    '--confirm-within is about persons who sign in with an identity provider, and holds at once for tokens that exist. A person is confirmed by each sign-in. Tokens of service accounts stay accepted.',
  ],
  examples: [
    'gatehouse account policy set 1 --max-lifetime 365d --default-lifetime 90d',
    'gatehouse account policy set --as ada@acme.example --for person --scope orgs:read --scope me:read',
    'gatehouse account policy set 1 --for service --must-have-networks',
    'gatehouse account policy set 1 --confirm-within 30d',
    'gatehouse account policy set 1 --second-factor admins',
    'gatehouse account policy set --floor --max-lifetime 730d',
  ],
  check({ floor, id: _, secondFactor, for: holder, ...changes }) {
    const hasChanges = Object.values(changes).some((change) => change !== undefined);
    if (secondFactor === undefined)
      return hasChanges
        ? undefined
        : 'Say what to change: --max-lifetime, --must-expire, --may-never-expire, --default-lifetime, --scope, --all-scopes, --must-have-networks, --may-lack-networks, --confirm-within or --second-factor.';
    return hasChanges || floor || holder
      ? 'Give --second-factor alone: it is no rule for tokens.'
      : undefined;
  },
  async run(gatehouse, caller, { id, for: holder, floor, secondFactor, ...given }) {
    if (secondFactor !== undefined) {
      const accountId = accountOf(caller, id);
      const input = { accountId, policy: secondFactor };
      const { already } = unwrap(await gatehouse.setSecondFactorPolicy(caller, input));
      return ok<Done>({ secondFactor, already, accountId });
    }
    const holders = TOKEN_HOLDERS.filter((each) => holder === undefined || each === holder);
    if (holder === 'service' && given.confirmWithin !== undefined)
      throw usageError('--confirm-within is about persons: no identity provider knows service accounts.');
    const changes = Object.fromEntries(holders.map((each) => [each, changesOf(each, given)]));
    let changed: Changed;
    if (floor) {
      if (id !== undefined) throw usageError('--floor is about all accounts: leave out the id.');
      changed = { ...unwrap(await gatehouse.setTokenFloor(caller, changes)), accountId: null };
    } else {
      const accountId = accountOf(caller, id);
      changed = { ...unwrap(await gatehouse.setTokenPolicy(caller, { accountId, changes })), accountId };
    }
    return ok<Done>(changed);
  },
  note: (done) => {
    if ('secondFactor' in done) return [secondFactorInWords(done)];
    const { before, after, accountId } = done;
    const rules =
      accountId === null
        ? 'limits for the tokens of all accounts'
        : `rules of account ${accountId} for its tokens`;
    return [
      before === after ? `The ${rules} are already like this; nothing changed.` : `Changed the ${rules}.`,
      ...TOKEN_HOLDERS.map((holder) => rulesInWords(holder, after[holder])),
    ];
  },
  document: (done) => ({
    account_id: done.accountId,
    ...('secondFactor' in done
      ? { second_factor: done.secondFactor }
      : Object.fromEntries(TOKEN_HOLDERS.map((holder) => [holder, rulesDocument(done.after[holder])]))),
  }),
});

/** The rules before and after the change; those of the floor if there is no account. */
interface Changed extends RulesUpdate<TokenFloor> {
  readonly accountId: AccountId | null;
}

/** From whom the account demands a second factor, after the change. */
interface Demanded {
  readonly secondFactor: SecondFactorPolicy;
  readonly already: boolean;
  readonly accountId: AccountId;
}

type Done = Changed | Demanded;

function secondFactorInWords({ secondFactor, already, accountId }: Demanded): string {
  const demand = secondFactor === 'admins' ? 'from its admins' : 'from no user';
  return already
    ? `Account ${accountId} already demands a second factor ${demand}; nothing changed.`
    : `Account ${accountId} now demands a second factor ${demand}.`;
}

interface Given {
  readonly maxLifetime: number | 'none' | undefined;
  readonly mustExpire: true | undefined;
  readonly mayNeverExpire: true | undefined;
  readonly defaultLifetime: number | 'never' | undefined;
  readonly scope: readonly string[] | undefined;
  readonly allScopes: true | undefined;
  readonly mustHaveNetworks: true | undefined;
  readonly mayLackNetworks: true | undefined;
  readonly confirmWithin: number | 'none' | undefined;
}

function changesOf(
  holder: TokenHolder,
  {
    maxLifetime,
    mustExpire,
    mayNeverExpire,
    defaultLifetime,
    scope,
    allScopes,
    mustHaveNetworks,
    mayLackNetworks,
    confirmWithin,
  }: Given,
): RuleChanges {
  return {
    mustExpire: mustExpire ?? (mayNeverExpire ? false : undefined),
    maxLifetimeMs: maxLifetime === 'none' ? null : maxLifetime,
    defaultLifetimeMs: defaultLifetime === 'never' ? null : defaultLifetime,
    scopes: allScopes ? null : scope,
    mustHaveNetworks: mustHaveNetworks ?? (mayLackNetworks ? false : undefined),
    ...(holder === 'person' && { confirmWithinMs: confirmWithin === 'none' ? null : confirmWithin }),
  };
}
