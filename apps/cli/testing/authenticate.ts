import { WITHOUT_TURNS } from '@gatehouse/domain';
import { createKeyRing } from '@gatehouse/domain/signing-keys';
import { authenticateToken } from '@gatehouse/domain/tokens';
import { createSystemClock } from '@gatehouse/installation';
import { createPostgresRepositories, createPostgresUsageRecorder, openDatabase } from '@gatehouse/postgres';
import { createJwtTokenSigner } from '@gatehouse/token-jwt';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';

/** Authenticates the token as a running server does. Its use is stored when the promise resolves. */
export async function authenticateOn({ url }: { readonly url: string }, token: string) {
  const opened = openDatabase({ url, poolSize: 1 });
  try {
    const clock = createSystemClock();
    const { signingKeys, tokens } = createPostgresRepositories(opened);
    const usage = createPostgresUsageRecorder(opened, { report: () => {} });
    const decide = authenticateToken({
      signers: [createPasetoTokenSigner(), createJwtTokenSigner()],
      keys: createKeyRing({ signingKeys, clock }),
      tokens,
      onBehalf: WITHOUT_TURNS,
      clock,
      issuer: { issuer: 'gatehouse', audience: 'gatehouse-api' },
      usage,
    });
    const caller = await decide(token, 'test');
    await usage.flush();
    return caller;
  } finally {
    await opened.close();
  }
}
