import { type Mutation, mutation } from '../mutation.ts';

const DOMAIN = 'packages/domain/src/identity-providers';
const WHO = `${DOMAIN}/who-signs-in.ts`;
const COMPLETE = `${DOMAIN}/complete-provider-sign-in.ts`;
const BEGIN = `${DOMAIN}/begin-provider-sign-in.ts`;
const POSTGRES = 'packages/postgres/src/identity-providers';

/** Who a person at an identity provider is, and how a sign-in gets there: requirements 151 to 157. */
export const PROVIDER_MUTATIONS: readonly Mutation[] = [
  mutation([151], 'The address finds the user, even if another one is linked.', {
    file: WHO,
    find: 'if (facts.linked) return signedInAs(provider, person, facts.linked, { isNewLink: false });',
    replace:
      'const first = facts.byEmail ?? facts.linked; if (first) return signedInAs(provider, person, first, { isNewLink: !facts.linked });',
  }),
  mutation([151], 'Subjects are compared without their case.', {
    file: `${POSTGRES}/person-facts.ts`,
    find: "where('issuer', '=', issuer).where('subject', '=', subject);",
    replace: "where('issuer', '=', issuer).where('subject', 'ilike', subject);",
  }),
  mutation([152], 'Subdomains of a listed domain count.', {
    file: `${DOMAIN}/email-domain.ts`,
    find: 'return linkByEmailOf.includes(domain.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()));',
    replace: 'return linkByEmailOf.some((each) => domain.endsWith(each));',
  }),
  mutation([152], 'Two addresses that look alike are one mailbox.', {
    file: `${DOMAIN}/email-domain.ts`,
    find: 'return emailKey(one) === emailKey(other) && formerEmailKey(one) === formerEmailKey(other);',
    replace: 'return emailKey(one) === emailKey(other) || formerEmailKey(one) === formerEmailKey(other);',
  }),
  mutation([152], 'The address need not be verified by the provider.', {
    file: WHO,
    find: "if (!person.isEmailVerified) return refuse('email_not_verified', found?.user);\n",
  }),
  mutation([152], 'The address need not be proved to Gatehouse.', {
    file: WHO,
    find: 'if (found.emailProvedAt === null && isServed(provider, found))',
    replace: 'if (found.emailProvedAt === undefined)',
  }),
  mutation([152], 'A provider signs in the users of any account.', {
    file: WHO,
    find: "if (!isServed(provider, known)) return refuse('account_not_served', user);\n",
  }),
  mutation([153], 'A user marked for emergencies is linked.', {
    file: WHO,
    find: "if (known.isBreakGlass) return refuse('user_is_break_glass', user);\n",
  }),
  mutation([153], 'A mark for emergencies leaves the identities.', {
    file: `${POSTGRES}/break-glass.ts`,
    find: 'for (const identity of identities) await deleteIdentity(tx, id, identity);\n',
  }),
  mutation([154], 'An attempt can be completed again.', {
    file: COMPLETE,
    find: 'const attempt = state && (await attempts.take(attemptSecrets.hashOf(state)));',
    replace:
      'const attempt = state && (await attempts.take(attemptSecrets.hashOf(state))); if (attempt) await attempts.insert(attempt);',
  }),
  mutation([154], 'Two servers get one attempt.', {
    file: `${POSTGRES}/attempt-repository.ts`,
    find: "const taken = queries.deleteFrom('sign_in_attempts').where('state_hash', '=', bytesOf(stateHash));\n      const row = await taken.returningAll().executeTakeFirst();",
    replace:
      "const taken = queries.selectFrom('sign_in_attempts').where('state_hash', '=', bytesOf(stateHash));\n      const row = await taken.selectAll().executeTakeFirst();",
  }),
  mutation([154], 'Any browser completes an attempt.', {
    file: COMPLETE,
    find: 'if (!secret || attemptSecrets.hashOf(secret) !== attempt.browserHash)',
    replace: 'if (!secret)',
  }),
  mutation([154], 'An attempt never ends by itself.', {
    file: COMPLETE,
    find: 'if (!attempt || clock.now() - attempt.createdAt >= ATTEMPT_MS)',
    replace: 'if (!attempt || clock.now() < ATTEMPT_MS)',
  }),
  mutation([154], 'Another provider completes an attempt.', {
    file: COMPLETE,
    find: 'if (attempt.provider !== provider)',
    replace: 'if (attempt.provider === undefined)',
  }),
  mutation([155], 'The stored attempt has the value of the cookie.', {
    file: BEGIN,
    find: 'await attempts.insert({ stateHash, browserHash,',
    replace: 'await attempts.insert({ stateHash, browserHash: browser as never,',
  }),
  mutation([155], 'The nonce and the verifier follow from the state alone.', {
    file: 'packages/installation/src/system-ports.ts',
    find: "createHmac('sha256', key)",
    replace: "createHmac('sha256', String(key.length))",
  }),
  mutation([156], 'A stolen session links an identity without a password.', {
    file: BEGIN,
    find: "if (kind === 'link' && !isPasswordFresh(session, now)) return undefined;\n",
  }),
  mutation([156], 'The identity of another user can be taken over.', {
    file: WHO,
    find: "if (linked && linked.user.id !== own.user.id) return refuse('identity_of_other_user', own.user);\n",
  }),
  mutation([156], 'A link is completed in another session of the browser.', {
    file: COMPLETE,
    find: "if ('sessionId' in attempt.purpose && attempt.purpose.sessionId !== session?.id)",
    replace: "if ('sessionId' in attempt.purpose && !session)",
  }),
  mutation([156], 'A session of another user counts as the own one.', {
    file: `${POSTGRES}/person-facts.ts`,
    find: "where('id', '=', sessionId).where('user_id', '=', userId)",
    replace: "where('id', '=', sessionId).where('user_id', '<>', 0 as typeof userId)",
  }),
  mutation([157], 'A person joins an account that the provider does not serve.', {
    file: WHO,
    find: "if (!provider.accounts.includes(accountId)) return refuse('account_not_served');\n  const given",
    replace: 'const given',
  }),
  mutation([157], 'A person who joins has a password that others know.', {
    file: COMPLETE,
    find: 'passwords.hash(attemptSecrets.createState())',
    replace: "passwords.hash(attemptSecrets.createState() && 'correct horse battery')",
  }),
  mutation([157], 'An invitation proves the address.', {
    file: `${POSTGRES}/settle.ts`,
    find: 'email_proved_at: isEmailProved ? formatInstant(at) : null,',
    replace: 'email_proved_at: isEmailProved ? formatInstant(at) : formatInstant(at),',
  }),
];
