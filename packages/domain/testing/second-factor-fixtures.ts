import type { Repositories } from '../src/index.ts';
import type {
  NewSecondFactor,
  PendingSecretHash,
  PendingSignIn,
  RecoveryCodeHash,
} from '../src/second-factor/index.ts';
import { formatRecoveryCode, secondFactorKeyId, totpStep } from '../src/second-factor/index.ts';
import type { SessionId } from '../src/sessions/index.ts';
import type { SealedSecret } from '../src/signing-keys/index.ts';
import type { Instant } from '../src/time/index.ts';
import type { User } from '../src/users/index.ts';
import {
  A_HASH,
  anEvent,
  aSecretHash,
  aSession,
  aSigningKey,
  givenSession,
  START,
  unwrap,
} from './fixtures.ts';
import type { World } from './world.ts';

/** Creates the hash of a recovery code that no user has. */
export const aRecoveryHash = () => aSecretHash() as string as RecoveryCodeHash;

/** Creates a second factor without storing it. */
export function aSecondFactor(
  { id: userId }: Pick<User, 'id'>,
  parts: Partial<NewSecondFactor> = {},
): NewSecondFactor {
  return { userId, sealedSecret: 'sealed' as SealedSecret, enrolledAt: START, lastStep: 0, ...parts };
}

/** Stores a second factor with these recovery codes for the user. */
export async function givenSecondFactor(
  store: Repositories,
  user: User,
  parts: Partial<NewSecondFactor> & { readonly recoveryCodes?: readonly RecoveryCodeHash[] } = {},
): Promise<NewSecondFactor & { readonly sessionId: SessionId }> {
  const { recoveryCodes = [], ...others } = parts;
  const factor = aSecondFactor(user, others);
  const key = aSigningKey({ state: 'staged' });
  await store.signingKeys.insert(key, anEvent());
  const { id: sessionId } = await givenSession(store, user);
  const guard = { sessionId, witness: key };
  unwrap(await store.secondFactors.enrol(factor, recoveryCodes, guard, anEvent()));
  return { ...factor, sessionId };
}

/** Creates a sign-in that waits for the code of this second factor, without storing it. */
export function aPendingSignIn(
  { userId, enrolledAt }: Pick<NewSecondFactor, 'userId' | 'enrolledAt'>,
  parts: Partial<PendingSignIn> = {},
): PendingSignIn {
  const secretHash = aSecretHash() as string as PendingSecretHash;
  return { secretHash, userId, verifiedHash: A_HASH, enrolledAt, createdAt: START, ...parts };
}

/** Enrols the user with a genuine secret, so that codes of the app and recovery codes are accepted. */
export async function givenEnrolled(world: World, user: User) {
  const { secondFactorSecrets, secondFactors, signingKeys, encryption, clock } = world;
  const secret = secondFactorSecrets.createSecret();
  const recoveryCodes = secondFactorSecrets.createRecoveryCodes();
  const sealedSecret = await encryption.seal(secret, secondFactorKeyId(user.id));
  const [witness] = await signingKeys.list();
  if (!witness) throw new Error('the world has no signing key');
  const session = aSession(user);
  const credentials = await world.users.findCredentials(user.email);
  if (!credentials) throw new Error('the user has no password');
  const bound = { keep: 1000, createdAfter: 0 as Instant, seenAfter: 0 as Instant };
  const audit = { created: anEvent(), ended: () => anEvent() };
  const guard = { verifiedHash: credentials.passwordHash };
  unwrap(await world.sessions.insert(session, guard, bound, audit));
  const factor = aSecondFactor(user, { sealedSecret, enrolledAt: clock.now() });
  const hashes = recoveryCodes.map(secondFactorSecrets.hashOfRecoveryCode);
  unwrap(await secondFactors.enrol(factor, hashes, { sessionId: session.id, witness }, anEvent()));
  return {
    recoveryCodes: recoveryCodes.map(formatRecoveryCode),
    /** The code that the app shows, this many steps later. */
    code: (steps = 0) => secondFactorSecrets.codeOf(secret, totpStep(clock.now()) + steps),
  };
}
