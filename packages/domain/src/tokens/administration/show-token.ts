import { type AccessDenied, authorize } from '../../access/authorize.ts';
import type { Operator, Principal } from '../../access/caller.ts';
import type { AuditEntry, AuditLog } from '../../audit/audit-log.ts';
import { err, ok, type Result } from '../../result.ts';
import { isStorable } from '../../text.ts';
import type { Clock } from '../../time/clock.ts';
import type { Instant } from '../../time/instant.ts';
import type { Email } from '../../users/email.ts';
import { parseTokenId, type TokenId } from '../token.ts';
import type { TokenNotFound, TokenRepository } from '../token-repository.ts';
import { findToken } from './find-token.ts';
import {
  type TokenEntry,
  type TokenReport,
  type TokenState,
  tokenReport,
  tokenState,
} from './token-report.ts';

export interface ShowTokenPorts {
  readonly tokens: Pick<TokenRepository, 'find' | 'list'>;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

/** A token with what was done to it, the oldest event first. */
export interface TokenStory extends TokenReport {
  readonly history: readonly AuditEntry[];
}

/** Several tokens have the name; only an id tells them apart. */
export interface AmbiguousTokenName {
  readonly code: 'ambiguous_token_name';
  /** The oldest of them. */
  readonly candidates: readonly TokenCandidate[];
  /** There are more than these. */
  readonly more: boolean;
}

export interface TokenCandidate {
  readonly id: TokenId;
  readonly creator: Email;
  readonly state: TokenState;
}

export type ShowToken = (
  caller: Principal | Operator,
  idOrName: string,
) => Promise<Result<TokenStory, AccessDenied | AmbiguousTokenName | TokenNotFound>>;

const MOST_CANDIDATES = 50;
const MOST_EVENTS = 1000;

/**
 * Shows one token, by its id or, for an API token, by its name; another account's is not found. A text that is
 * an id is never taken for a name.
 */
export function showToken({ tokens, audit, clock }: ShowTokenPorts): ShowToken {
  return async (caller, idOrName) => {
    const now = clock.now();
    const id = parseTokenId(idOrName);
    const found =
      id === undefined
        ? await findNamed(tokens, caller, idOrName, now)
        : await findToken(tokens, caller, 'tokens:read', id);
    if (!found.ok) return found;
    const subject = { type: 'token', id: found.value.grant.token.id } as const;
    const history = await audit.list({ subject, limit: MOST_EVENTS });
    return ok({ ...tokenReport(found.value, now), history: history.toReversed() });
  };
}

async function findNamed(
  tokens: ShowTokenPorts['tokens'],
  caller: Principal | Operator,
  name: string,
  now: Instant,
): Promise<Result<TokenEntry, AccessDenied | AmbiguousTokenName | TokenNotFound>> {
  const allowed = authorize(caller, 'tokens:read');
  if (!allowed.ok) return allowed;
  // No token has a name that cannot be stored, and asking for it would be a fault.
  if (!isStorable(name)) return err({ code: 'token_not_found' });
  const accountId = caller.kind === 'operator' ? undefined : caller.accountId;
  const named = await tokens.list({ name, kind: 'api', accountId, now, limit: MOST_CANDIDATES + 1 });
  const [entry] = named;
  if (!entry) return err({ code: 'token_not_found' });
  if (named.length === 1) return ok(entry);
  const candidates = named.slice(0, MOST_CANDIDATES).map((each) => candidate(each, now));
  return err({ code: 'ambiguous_token_name', candidates, more: named.length > MOST_CANDIDATES });
}

function candidate(entry: TokenEntry, now: Instant): TokenCandidate {
  const { token, user } = entry.grant;
  return { id: token.id, creator: user.email, state: tokenState(entry, now) };
}
