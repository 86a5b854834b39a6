import type { TimeEvents } from '../../src/time-events/index.ts';
import { NOT_WATCHED } from '../../src/time-events/index.ts';
import { INITIAL_TOKEN_POLICY, TOKEN_HOLDERS, type TokenLimits } from '../../src/token-policy/index.ts';
import type { Token } from '../../src/tokens/index.ts';
import type { State } from './state.ts';
import { tokenReading } from './token-reading.ts';

export function createInMemoryTimeEvents(state: State): TimeEvents {
  const { count } = tokenReading(state);

  /** The facts that make a token due at once when they change. */
  const changing = ({ id, expiresAt }: Token) =>
    JSON.stringify([
      expiresAt,
      state
        .usageOf(id)
        .usedFrom.map(({ address }) => address)
        .sort(),
    ]);

  /** The time since which the token is due; undefined if it is not. */
  function dueSince(token: Token, now: number): number | undefined {
    const watched = state.watches.get(token.id);
    if (watched === undefined) return token.createdAt;
    if (watched.changing !== changing(token)) return now;
    const { lookAt } = watched.watch;
    return lookAt !== null && lookAt <= now ? lookAt : undefined;
  }

  return {
    async lookAtTokens({ now, limit }, decide) {
      const due = [...state.tokens.values()]
        .filter(({ kind }) => kind === 'api')
        .flatMap((token) => {
          const since = dueSince(token, now);
          return since === undefined ? [] : [{ token, since }];
        })
        .sort((one, other) => one.since - other.since)
        .slice(0, limit);
      for (const { token } of due) {
        const { lastUsedAt, lastRefusal, usedFrom } = state.usageOf(token.id);
        const { events, watch } = decide({
          record: state.recordOf(token),
          usage: { lastUsedAt, lastRefusal },
          usedFrom,
          watch: state.watches.get(token.id)?.watch ?? NOT_WATCHED,
        });
        state.events.push(...events);
        state.watches.set(token.id, { watch, changing: changing(token) });
      }
      return { more: due.length === limit };
    },

    async recordDueKeys({ activatedUntil, limit }, audit) {
      const due = [...state.keys.values()]
        .filter((key) => key.state === 'active' && !state.dueKeys.has(key.id))
        .filter(({ activatedAt }) => activatedAt !== null && activatedAt <= activatedUntil)
        .slice(0, limit);
      for (const key of due) state.dueKeys.set(key.id, true);
      state.events.push(...due.map(audit));
      return { more: due.length === limit };
    },

    async recordExceededPolicies({ now, limit, countLimit }, audit) {
      let changed = 0;
      for (const { id } of state.accounts.values()) {
        const own = state.policies.get(id) ?? INITIAL_TOKEN_POLICY;
        const limits = TOKEN_HOLDERS.flatMap((holder) => [own[holder], state.floor[holder]]);
        if (!limits.some(isLimit)) {
          state.foundLimits.delete(id);
          continue;
        }
        const text = JSON.stringify(limits.map(textOf));
        if (state.foundLimits.get(id) === text || changed === limit) continue;
        changed += 1;
        state.foundLimits.set(id, text);
        const filter = { accountId: id, kind: 'api', overPolicy: true, now } as const;
        const tokens = await count({ ...filter, limit: countLimit });
        if (tokens > 0) state.events.push(audit(id, tokens));
      }
      return { more: changed === limit };
    },
  };
}

const isLimit = ({ mustExpire, scopes, mustHaveNetworks }: TokenLimits) =>
  mustExpire || scopes !== null || mustHaveNetworks;

const textOf = ({ mustExpire, maxLifetimeMs, scopes, mustHaveNetworks }: TokenLimits) => [
  mustExpire,
  maxLifetimeMs,
  scopes,
  mustHaveNetworks,
];
