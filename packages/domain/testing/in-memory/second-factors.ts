import { err, ok } from '../../src/index.ts';
import {
  demandsSecondFactor,
  MAX_WRONG_CODES,
  type Proof,
  pausedUntil,
  recentWrong,
  type SecondFactorRepository,
} from '../../src/second-factor/index.ts';
import type { SessionId } from '../../src/sessions/index.ts';
import type { UserId } from '../../src/users/index.ts';
import { pageOf } from './page-of.ts';
import type { KeptSecondFactor, State } from './state.ts';

export function createInMemorySecondFactors(state: State): SecondFactorRepository {
  const isOwnSession = (userId: UserId, id: SessionId) => state.sessions.get(id)?.userId === userId;
  const enrolled = (userId: UserId, enrolledAt: number) => {
    const found = state.secondFactors.get(userId);
    return found?.enrolledAt === enrolledAt ? found : undefined;
  };
  const endPendingOf = (userId: UserId) => {
    for (const pending of state.pendingSignIns.values())
      if (pending.userId === userId) state.pendingSignIns.delete(pending.secretHash);
  };

  /** Returns the second factor after it accepted the proof; undefined if the proof is wrong. */
  function accepted(factor: KeptSecondFactor, proof: Proof): KeptSecondFactor | undefined {
    if ('steps' in proof) {
      const step = proof.steps.find((each) => each > factor.lastStep);
      return step === undefined ? undefined : { ...factor, lastStep: step };
    }
    if (!factor.recoveryCodes.has(proof.recoveryHash)) return undefined;
    const left = new Set(factor.recoveryCodes);
    left.delete(proof.recoveryHash);
    return { ...factor, recoveryCodes: left };
  }

  return {
    async find(userId) {
      const found = state.secondFactors.get(userId);
      if (!found) return undefined;
      const { recoveryCodes, lastStep: _, wrong: _wrong, ...factor } = found;
      return { ...factor, recoveryCodesLeft: recoveryCodes.size };
    },
    async enrol(factor, recoveryCodes, { sessionId, witness }, event) {
      const { userId } = factor;
      if (state.secondFactors.has(userId)) return err({ code: 'second_factor_enrolled' });
      if (!isOwnSession(userId, sessionId)) return err({ code: 'session_not_found' });
      const key = state.keys.get(witness.id);
      if (key?.sealedSecret !== witness.sealedSecret || key.state === 'retired')
        return err({ code: 'keys_changed' });
      state.secondFactors.set(userId, { ...factor, recoveryCodes: new Set(recoveryCodes), wrong: [] });
      state.takeBackPasswords(userId, sessionId);
      state.events.push(event);
      return ok(undefined);
    },
    async prove({ userId, enrolledAt }, proof, at, audit) {
      const factor = enrolled(userId, enrolledAt);
      if (!factor) return err({ code: 'second_factor_not_enrolled' });
      const pause = pausedUntil(factor.wrong, at);
      if (pause !== undefined)
        return err({ code: 'second_factor_paused', retryAfterSeconds: Math.ceil((pause - at) / 1000) });
      const after = accepted(factor, proof);
      if (!after) {
        const wrong = [...recentWrong(factor.wrong, at), at].slice(-MAX_WRONG_CODES);
        state.secondFactors.set(userId, { ...factor, wrong });
        if (pausedUntil(wrong, at) !== undefined) state.events.push(audit());
        return err({ code: 'second_factor_wrong' });
      }
      state.secondFactors.set(userId, { ...after, wrong: [] });
      const left = after.recoveryCodes.size;
      const usedRecoveryCode = 'recoveryHash' in proof;
      if (usedRecoveryCode) state.events.push(audit(left));
      return ok({ usedRecoveryCode, recoveryCodesLeft: left });
    },
    async replaceRecoveryCodes(userId, recoveryCodes, { enrolledAt, sessionId }, event) {
      const factor = enrolled(userId, enrolledAt);
      if (!factor) return err({ code: 'second_factor_not_enrolled' });
      if (!isOwnSession(userId, sessionId)) return err({ code: 'session_not_found' });
      state.secondFactors.set(userId, { ...factor, recoveryCodes: new Set(recoveryCodes) });
      state.events.push(event);
      return ok(undefined);
    },
    async remove(userId, { enrolledAt, sessionId, verifiedHash, renewal }, event) {
      if (state.passwordHashes.get(userId) !== verifiedHash) return err({ code: 'password_changed' });
      if (!enrolled(userId, enrolledAt)) return err({ code: 'second_factor_not_enrolled' });
      const user = state.users.get(userId);
      if (user && demandsSecondFactor(state.secondFactorOf(user), user.role))
        return err({ code: 'second_factor_demanded' });
      const session = isOwnSession(userId, sessionId) ? state.sessions.get(sessionId) : undefined;
      if (session?.secretHash !== renewal.from) return err({ code: 'session_not_found' });
      state.secondFactors.delete(userId);
      endPendingOf(userId);
      state.renewSecret(sessionId, renewal, event.at);
      state.events.push(event);
      return ok(undefined);
    },
    async reset(userId, reset, event) {
      const user = state.users.get(userId);
      if (!user) return err({ code: 'user_not_found' });
      if (!state.secondFactors.delete(userId)) return err({ code: 'second_factor_not_enrolled' });
      endPendingOf(userId);
      state.secondFactorResets.set(userId, reset);
      state.events.push(event);
      return ok(user);
    },
    findLastReset: async (userId) => state.secondFactorResets.get(userId),
    async findPolicy(accountId) {
      return state.accounts.has(accountId)
        ? (state.secondFactorPolicies.get(accountId) ?? 'optional')
        : undefined;
    },
    async setPolicy(accountId, policy, audit) {
      const account = state.accounts.get(accountId);
      if (!account) return err({ code: 'account_not_found' });
      const before = state.secondFactorPolicies.get(accountId) ?? 'optional';
      const event = audit(before);
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      if (before === policy) return ok({ account, already: true });
      state.secondFactorPolicies.set(accountId, policy);
      state.events.push(event);
      return ok({ account, already: false });
    },
    async insertPending(pending) {
      state.pendingSignIns.set(pending.secretHash, pending);
    },
    async findPending(hash, createdAfter) {
      const pending = state.pendingSignIns.get(hash);
      const user = pending && state.users.get(pending.userId);
      if (!pending || !user || pending.createdAt <= createdAfter) return undefined;
      const account = state.accounts.get(user.accountId);
      const isActive = user.disabledAt === null && account?.suspendedAt === null;
      const hasChanged = state.haveCredentialsChanged(user.id, {
        verifiedHash: pending.verifiedHash,
        secondFactorAt: pending.enrolledAt,
      });
      return isActive && !hasChanged ? { pending, user } : undefined;
    },
    takePending: async (hash) => state.pendingSignIns.delete(hash),
    async sweepPending({ createdBefore, limit }) {
      const swept = [...state.pendingSignIns.values()]
        .filter(({ createdAt }) => createdAt < createdBefore)
        .slice(0, limit);
      for (const { secretHash } of swept) state.pendingSignIns.delete(secretHash);
      return swept.length;
    },
    async list({ after, limit }) {
      const all = [...state.secondFactors.values()].map(({ userId, sealedSecret, enrolledAt }) => ({
        id: userId,
        userId,
        sealedSecret,
        enrolledAt,
      }));
      return pageOf(all, after, limit).map(({ id: _, ...factor }) => factor);
    },
    async reseal(resealings) {
      for (const { userId, from, to } of resealings) {
        const factor = state.secondFactors.get(userId);
        if (factor?.sealedSecret === from) state.secondFactors.set(userId, { ...factor, sealedSecret: to });
      }
    },
  };
}
