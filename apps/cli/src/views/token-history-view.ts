import type { ToldEntry } from '@gatehouse/domain/audit';
import { diagnoseToken, type RecordRefusal, type TokenWithHistory } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { printable } from '../output/printable.ts';
import { createTable } from '../output/table.ts';
import type { ItemView } from '../output/view.ts';
import { wrap } from '../output/wrap.ts';
import {
  addressDocument,
  addressTables,
  reportedBy,
  useAtServiceDocument,
  VALUES_WITH_ADDRESS,
} from './address-view.ts';
import { actorDocument, auditView, who } from './audit-view.ts';
import { documentOf } from './document.ts';
import { timeAgo, timeSpan } from './time.ts';
import { networksInWords } from './token-networks-view.ts';
import { tokenView } from './token-view.ts';

/** Shows one token, its history, and whether it works. */
export const tokenHistoryView: ItemView<TokenWithHistory> = {
  document: (token) => {
    const explanation = diagnoseToken(token);
    return {
      ...tokenView.document(token),
      description: token.description,
      replaces: token.replaces?.tokenId ?? null,
      replaced_by: token.successor,
      works: explanation.works,
      because: explanation.works ? null : explanation.because,
      last_used_from: token.usage.lastUsedFrom,
      last_refused_from: token.usage.lastRefusal?.from ?? null,
      last_refused_by: token.usage.lastRefusal?.reportedBy ?? null,
      used_at_services: token.usage.usedAt.map(useAtServiceDocument),
      used_from: token.usage.usedFrom.map(addressDocument),
      refused_from: token.usage.refusedFrom.map(({ reason, ...address }) => ({
        ...addressDocument(address),
        reason,
      })),
      history: token.history.map(eventDocument),
    };
  },
  columns: tokenView.columns.map((column) => ({
    ...column,
    value: VALUES_WITH_ADDRESS[column.title] ?? column.value,
  })),
  details: [
    { title: 'DESCRIPTION', value: ({ description }) => description ?? '-' },
    { title: 'MAY BE USED FROM', value: ({ networks }) => networksInWords(networks) },
    { title: 'KEY', value: ({ keyId }) => keyId },
    { title: 'REPLACES', value: (token) => token.replaces?.tokenId ?? '-' },
    { title: 'REPLACED BY', value: ({ successor }) => successor ?? '-' },
  ],
  below: (token, table) => {
    const sentences = wrap(printable(tokenSentences(token).join(' ')), table.width);
    const history = createTable(HISTORY, { ...table, filtered: ['WHO', 'FROM'] }).rows(token.history);
    return `${addressTables(token, table)}${history}\n${sentences}\n`;
  },
};

const HISTORY = auditView.columns.filter(({ title }) => title !== 'SUBJECT');

function eventDocument(entry: ToldEntry) {
  const { event } = entry;
  return {
    ...documentOf(event, 'at'),
    actor: actorDocument(entry),
    ...documentOf(event, 'origin', 'action', 'details'),
  };
}

/** Says whether the token works and which token it replaces, or why it does not work. */
function tokenSentences(token: TokenWithHistory): readonly string[] {
  const explanation = diagnoseToken(token);
  if (!explanation.works) return [`The token does not work, because ${CAUSES[explanation.because](token)}.`];
  const { lastRefusal } = explanation;
  const but = lastRefusal
    ? `, but its last request was refused ${timeAgo(lastRefusal.at, token.at)}${reportedBy(lastRefusal.reportedBy)}: ${lastRefusal.reason}`
    : '';
  return [`The token works${until(token)}${but}.`, ...replacing(token)];
}

function until({ state, successor, graceMs, ...token }: TokenWithHistory): string {
  if (state !== 'being_replaced') return '';
  const other = successor === null ? 'its replacement' : `its replacement ${successor}`;
  if (token.replacedAt !== null) return ` until ${shortTime(token.expiresAt)}: ${other} is in use`;
  const grace = graceMs === null ? 'the grace period' : timeSpan(graceMs);
  return ` until ${grace} after ${other} is first used`;
}

function replacing({ replaces, usage }: TokenWithHistory): readonly string[] {
  if (replaces === null) return [];
  const { tokenId, graceMs } = replaces;
  return usage.lastUsedAt === null
    ? [`It replaces ${tokenId}, which works until ${timeSpan(graceMs)} after this token is first used.`]
    : [`It has replaced ${tokenId}.`];
}

const CAUSES: Readonly<Record<RecordRefusal, (token: TokenWithHistory) => string>> = {
  key_retired: ({ keyId }) => `the key that signed it, ${keyId}, is retired`,
  revoked: (token) => {
    const { revocation } = token;
    const reason = revocation?.reason ? `: ${revocation.reason}` : '';
    return `it was revoked by ${revoker(token)} on ${shortTime(revocation?.at ?? null)}${reason}`;
  },
  expired: (token) =>
    token.replacedAt === null
      ? `it expired on ${shortTime(token.expiresAt)}`
      : `another token has replaced it, and its grace period ended on ${shortTime(token.expiresAt)}`,
  user_disabled: ({ user }) => `its owner, ${user.email}, was disabled on ${shortTime(user.disabledAt)}`,
  not_confirmed: ({ user }) =>
    `no identity provider has confirmed its owner, ${user.email}, in time (since ${shortTime(user.confirmedUntil)}); the owner can sign in again`,
  account_suspended: ({ account }) =>
    `its account, ${account.name}, was suspended on ${shortTime(account.suspendedAt)}`,
};

/** Returns who revoked the token. The history is searched first, because only its entries have the email of a user. */
function revoker({ history, revocation }: TokenWithHistory): string {
  const entry = history.find(({ event }) => event.action === 'token.revoked');
  if (entry) return who(entry);
  const by = revocation?.by;
  return by?.kind === 'user' ? `user ${by.id}` : 'an operator';
}
