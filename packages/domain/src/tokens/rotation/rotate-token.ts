import { authorized, type Principal, ROTATE_TOKENS } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import { guardFacts } from '../../guards/guard-facts.ts';
import type { Ports } from '../../ports.ts';
import { invalid, ok } from '../../result.ts';
import { findRules } from '../../token-policy/find-rules.ts';
import { shortenedExpiry } from '../../token-policy/token-limit.ts';
import { findToken } from '../administration/find-token-by-reference.ts';
import { type MintTokenPorts, mintToken } from '../issuing/mint-token.ts';
import type { TokenFormat, TokenId } from '../token.ts';
import { tokenCreated, tokenRotated } from '../token-events.ts';
import { graceProblem, sameLifeFrom } from './rotation.ts';

export interface RotateTokenInput {
  readonly id: TokenId;
  /** How long the token is accepted after its successor's first use: 0 to `GRACE_MAX_MS` milliseconds. */
  readonly graceMs: number;
  /** The format of the successor. Default: the format of the replaced token. */
  readonly format?: TokenFormat | undefined;
  /**
   * The id of the successor. A repeated request with the same id does not issue a second successor. Default: a new id.
   */
  readonly successorId?: TokenId | undefined;
}

/**
 * Issues the successor of an API token. The successor has the same name, scopes, networks, owner and lifetime, which
 * begins now. If the rules of the account no longer allow the lifetime, it is shortened, and `isShortened` is true. The
 * replaced token does not change before the successor's first use. Returns the successor and the replaced token.
 * Refuses a caller who is no longer an active admin when the successor is stored.
 */
export const rotateToken = authorized(
  ROTATE_TOKENS,
  (ports: MintTokenPorts & Ports<'tokens' | 'tokenPolicies' | 'clock' | 'guards'>) =>
    async (caller: Principal, { id, graceMs, format, successorId }: RotateTokenInput) => {
      const { tokens, clock } = ports;
      const found = await findToken(tokens, caller, ROTATE_TOKENS, id);
      if (!found.ok) return found;
      const problem = graceProblem(graceMs);
      if (problem !== undefined) return invalid('grace', problem);
      const predecessor = found.value;
      const createdAt = clock.now();
      const sameLife = sameLifeFrom(createdAt, predecessor);
      const { accountId, userId, kind, name, scopes, networks, format: ownFormat } = predecessor;
      const replaces = { tokenId: id, graceMs };
      const kept = { accountId, userId, kind, name, scopes, networks };
      const draft = { ...kept, id: successorId, format: format ?? ownFormat };

      async function issueSuccessor() {
        const rules = await findRules(ports, accountId, predecessor.user.kind);
        const expiresAt = shortenedExpiry(rules, createdAt, sameLife);
        const guarded = await ports.guards.check(
          'token.create',
          {
            name,
            scopes,
            expiresAt,
            networks,
            owner: { id: userId, kind: predecessor.user.kind },
            replaces: id,
          },
          guardFacts(caller, accountId, createdAt),
        );
        if (!guarded.ok) return guarded;
        const minted = await mintToken(ports, { ...draft, createdAt, expiresAt, replaces });
        if (!minted.ok) return minted;
        const successor = { ...minted.value.record, replaces };
        // `rotate` checks the caller again, because verifying a password may have taken long after the caller was read.
        const stored = await tokens.rotate(successor, { by: caller.userId }, [
          eventBy(caller, tokenRotated(predecessor, successor)),
          eventBy(caller, tokenCreated(successor)),
        ]);
        return stored.ok ? ok({ ...minted.value, predecessor, isShortened: expiresAt !== sameLife }) : stored;
      }

      const issued = await issueSuccessor();
      const isOutdated = !issued.ok && issued.error.code === 'lifetime_not_allowed';
      // The rules became stricter after they were read.
      return isOutdated ? issueSuccessor() : issued;
    },
);
