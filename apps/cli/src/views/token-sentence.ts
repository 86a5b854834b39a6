import { diagnoseToken, type RecordRefusal, type TokenWithHistory } from '@gatehouse/domain/tokens';
import { printable } from '../output/printable.ts';
import { who } from './audit-view.ts';
import { shortTime, timeAgo } from './time.ts';

/** Whether the token works, and why not, in one sentence. */
export function tokenSentence(story: TokenWithHistory): string {
  const explanation = diagnoseToken(story);
  if (!explanation.works) return printable(`Fails because ${CAUSES[explanation.because](story)}.`);
  const { lastRefusal } = explanation;
  const but = lastRefusal
    ? `, but its last request was refused ${timeAgo(lastRefusal.at, story.at)}: ${lastRefusal.reason}`
    : '';
  return `Works${until(story)}${but}.`;
}

function until({ state, successor, ...token }: TokenWithHistory): string {
  if (state !== 'being_replaced') return '';
  const other = successor === null ? 'another token' : `token ${successor}`;
  return token.replacedAt === null
    ? ` until some time after ${other}, which is to replace it, is first used`
    : ` until ${shortTime(token.expiresAt)}, for ${other} has replaced it`;
}

const CAUSES: Readonly<Record<RecordRefusal, (story: TokenWithHistory) => string>> = {
  key_retired: (token) => `the key that signed it, ${token.keyId}, is retired`,
  revoked: (story) => {
    const { revocation } = story;
    const reason = revocation?.reason ? `: ${revocation.reason}` : '';
    return `it was revoked by ${revoker(story)} on ${shortTime(revocation?.at ?? null)}${reason}`;
  },
  expired: (token) =>
    token.replacedAt === null
      ? `it expired on ${shortTime(token.expiresAt)}`
      : `another token has replaced it, and it was good until ${shortTime(token.expiresAt)} only`,
  user_disabled: ({ user }) => `its creator, ${user.email}, was disabled on ${shortTime(user.disabledAt)}`,
  account_suspended: ({ account }) =>
    `its account, ${account.name}, was suspended on ${shortTime(account.suspendedAt)}`,
};

/** The history knows people by their email. */
function revoker({ history, revocation }: TokenWithHistory): string {
  const entry = history.find(({ event }) => event.action === 'token.revoked');
  if (entry) return who(entry);
  const by = revocation?.by;
  return by?.kind === 'operator' ? `${by.name} (operator)` : `user ${by?.id}`;
}
