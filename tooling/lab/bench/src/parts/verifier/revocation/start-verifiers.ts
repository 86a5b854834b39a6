import { fileURLToPath } from 'node:url';
import type { TokenId } from '@gatehouse/domain/tokens';
import { startProgram } from '../start-program.ts';
import type { CheckCount, VerifiersOrder, VerifiersPlan, VerifiersReport } from './messages.ts';

const PROGRAM = fileURLToPath(new URL('verifiers.ts', import.meta.url));

/** A process of verifiers. */
export interface Verifiers extends AsyncDisposable {
  /** Resolves when all verifiers remember the token; the inner promise has the time at which the last one accepted it. */
  watch(id: TokenId, token: string): Promise<{ readonly last: Promise<number> }>;
  /** Returns the checks of the steady token since the last call. */
  counts(): Promise<CheckCount>;
}

/** Starts a process of verifiers, and waits until each has asked about its token. */
export async function startVerifiers(plan: VerifiersPlan, cores: string | undefined): Promise<Verifiers> {
  const program = startProgram<VerifiersOrder, VerifiersReport>(PROGRAM, plan, cores);
  const { child, ended } = program;

  function expect<Found>(of: (report: VerifiersReport) => Found | undefined): Promise<Found> {
    const found = new Promise<Found>((resolve) => {
      const take = (report: VerifiersReport) => {
        const result = of(report);
        if (result === undefined) return;
        child.off('message', take);
        resolve(result);
      };
      child.on('message', take);
    });
    return Promise.race([found, ended]);
  }
  const ready = (what: TokenId | 'steady') =>
    expect((report) => ('ready' in report && report.ready === what ? true : undefined));
  const send = (order: VerifiersOrder) => child.send(order);

  await ready('steady');
  return {
    async watch(id, token) {
      const watching = ready(id);
      const last = expect((report) =>
        'refused' in report && report.refused === id ? report.last : undefined,
      );
      send({ watch: id, token });
      await watching;
      return { last };
    },
    async counts() {
      const counted = expect((report) => ('counts' in report ? report.counts : undefined));
      send({ count: true });
      return counted;
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
