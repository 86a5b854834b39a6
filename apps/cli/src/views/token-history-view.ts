import type { AuditEntry } from '@gatehouse/domain/audit';
import { formatInstant } from '@gatehouse/domain/time';
import { diagnoseToken, type TokenWithHistory } from '@gatehouse/domain/tokens';
import { printable } from '../output/printable.ts';
import type { View } from '../output/printer.ts';
import { createTable } from '../output/table.ts';
import { wrap } from '../output/wrap.ts';
import { actorDocument, auditView } from './audit-view.ts';
import { tokenSentences } from './token-sentence.ts';
import { tokenView } from './token-view.ts';

/** Shows one token, its history, and whether it works. */
export const tokenHistoryView: View<TokenWithHistory> = {
  document: (token) => {
    const explanation = diagnoseToken(token);
    return {
      ...tokenView.document(token),
      replaces: token.replaces?.tokenId ?? null,
      replaced_by: token.successor,
      works: explanation.works,
      because: explanation.works ? null : explanation.because,
      history: token.history.map(eventDocument),
    };
  },
  columns: tokenView.columns,
  details: [
    { title: 'KEY', value: ({ keyId }) => keyId },
    { title: 'REPLACES', value: (token) => token.replaces?.tokenId ?? '-' },
    { title: 'REPLACED BY', value: ({ successor }) => successor ?? '-' },
  ],
  below: (token, table) => {
    const sentences = wrap(printable(tokenSentences(token).join(' ')), table.width);
    return `${createTable(HISTORY, { ...table, filtered: ['WHO', 'FROM'] }).rows(token.history)}\n${sentences}\n`;
  },
};

const HISTORY = auditView.columns.filter(({ title }) => title !== 'SUBJECT');

function eventDocument(entry: AuditEntry) {
  const { at, origin, action, details } = entry.event;
  return { at: formatInstant(at), actor: actorDocument(entry), origin, action, details };
}
