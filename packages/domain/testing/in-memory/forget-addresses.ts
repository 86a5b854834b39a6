import type { AddressOfUse, TokenRepository, UseAtService } from '../../src/tokens/index.ts';
import type { State } from './state.ts';

const DAY_MS = 86_400_000;

/** The part of a TokenRepository that forgets addresses of use. */
export function forgetAddresses(state: State): TokenRepository['forgetAddresses'] {
  return async ({ before, limit }) => {
    const cutoff = Math.floor(before / DAY_MS) * DAY_MS;
    const isRecent = ({ lastAt }: Pick<AddressOfUse, 'lastAt'>) => lastAt >= cutoff;
    const isKept = (use: UseAtService) => use.from === null || isRecent(use);
    let forgotten = 0;
    for (const [id, usage] of state.usage) {
      const outside = state.outside.get(id) ?? [];
      if ([...usage.usedFrom, ...usage.refusedFrom, ...outside].every(isRecent) && usage.usedAt.every(isKept))
        continue;
      if (forgotten === limit) break;
      forgotten += 1;
      const [usedFrom, refusedFrom] = [usage.usedFrom.filter(isRecent), usage.refusedFrom.filter(isRecent)];
      const usedAt = usage.usedAt.map((use) => (isKept(use) ? use : { ...use, from: null }));
      state.usage.set(id, { ...usage, usedFrom, refusedFrom, usedAt });
      if (outside.length > 0) state.outside.set(id, outside.filter(isRecent));
    }
    return forgotten;
  };
}
