import type { Written } from './event-writers.ts';
import type { Receipt } from './receiver.ts';

/** How the receipts differ from what was written. */
export interface Judgement {
  /** Committed, and never received. */
  readonly lost: number;
  /** Received for the first time after a later event of the same account. */
  readonly outOfOrder: number;
  /** Rolled back, and received nevertheless. */
  readonly phantoms: number;
  /** Received again, which is allowed after a failure only. */
  readonly repeated: number;
}

export function judge(written: readonly Written[], receipts: readonly Receipt[]): Judgement {
  const lanes = Map.groupBy(receipts, ({ lane }) => lane);
  const judged = written.map(({ lane, committed, rolledBack }) => {
    const serials = (lanes.get(lane) ?? []).map(({ serial }) => serial);
    const first = [...new Set(serials)];
    const received = new Set(first);
    return {
      lost: committed.filter((serial) => !received.has(serial)).length,
      outOfOrder: first.filter((serial, index) => index > 0 && serial < (first[index - 1] ?? 0)).length,
      phantoms: rolledBack.filter((serial) => received.has(serial)).length,
      repeated: serials.length - first.length,
    };
  });
  const sum = (name: keyof Judgement) => judged.reduce((total, each) => total + each[name], 0);
  return {
    lost: sum('lost'),
    outOfOrder: sum('outOfOrder'),
    phantoms: sum('phantoms'),
    repeated: sum('repeated'),
  };
}
