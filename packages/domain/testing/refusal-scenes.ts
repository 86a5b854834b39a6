import { suspendAccount } from '../src/accounts/index.ts';
import { markBreakGlass } from '../src/break-glass/index.ts';
import type {
  Provider,
  ProviderFailureReason,
  ProviderId,
  ProviderRefusal,
} from '../src/identity-providers/index.ts';
import { ATTEMPT_MS } from '../src/identity-providers/index.ts';
import { inviteUser, revokeInvitation } from '../src/links/index.ts';
import { endOtherSessions } from '../src/sessions/index.ts';
import { disableUser, type User } from '../src/users/index.ts';
import { aPerson } from './fake-identity-providers.ts';
import { unwrap } from './fixtures.ts';
import type { ProviderScene } from './provider-scene.ts';
import { inPerson, OPERATOR } from './world.ts';

type Scene = (scene: ProviderScene) => Promise<unknown>;

const RULES: Pick<Provider, 'roles'> = {
  roles: { claim: 'groups', rules: [{ value: 'staff', role: 'member' }] },
};

/** Invites a person, as an operator does for any account. */
async function codeFor({ world, accountId }: ProviderScene, of: User['accountId'] = accountId) {
  const input = { accountId: of, email: 'noor@acme.example', name: null, role: 'member' } as const;
  return unwrap(await inviteUser(world)(OPERATOR, input));
}

/** A new user whose address no one has proved, who joined by an invitation under another address. */
async function givenUnproved(scene: ProviderScene): Promise<void> {
  const { code } = await codeFor(scene);
  const person = { subject: 'noor', email: 'private@else.example' };
  const joined = unwrap(await scene.signIn(person, { purpose: { kind: 'invitation', code } }));
  unwrap(await scene.unlink(OPERATOR, { email: joined.user.email, reason: 'test' }));
}

/** The scenes that lead to each refusal of the domain. A new reason does not compile without an entry. */
export const REFUSAL_SCENES: Readonly<
  Record<Exclude<ProviderRefusal, ProviderFailureReason>, Readonly<Record<string, Scene>>>
> = {
  provider_unknown: {
    'at the begin': ({ begin }) => begin({ provider: 'nowhere' as ProviderId }),
    'at the return': ({ complete }) => complete({ query: [], provider: 'nowhere' as ProviderId }),
  },
  confirmation_needed: {
    'a link without a fresh password': async ({ world, begin, withPassword, ada }) => {
      const { session } = await withPassword(ada);
      world.clock.advance(ATTEMPT_MS + 1);
      return begin({ purpose: { kind: 'link', session } });
    },
  },
  attempt_unknown: {
    'no state': async ({ complete }) => complete({ query: [] }),
    'another state': async ({ begin, complete }) => {
      const { browser } = unwrap(await begin());
      return complete({ query: [['state', 'A'.repeat(43)]], browser });
    },
    'two states': async ({ begin, answered, complete }) => {
      const { location, browser } = unwrap(await begin());
      const query = answered(location, aPerson());
      return complete({ query: [...query, ['state', 'A'.repeat(43)]], browser });
    },
    'after 10 minutes': async ({ world, begin, answered, complete }) => {
      const { location, browser } = unwrap(await begin());
      world.clock.advance(ATTEMPT_MS);
      return complete({ query: answered(location, aPerson()), browser });
    },
  },
  attempt_of_other_browser: {
    'without a cookie': async ({ begin, answered, complete }) => {
      const { location } = unwrap(await begin());
      return complete({ query: answered(location, aPerson()) });
    },
    'with the cookie of another browser, as in session fixation': async ({ begin, answered, complete }) => {
      const victim = unwrap(await begin());
      const attacker = unwrap(await begin());
      const query = answered(attacker.location, aPerson({ subject: 'attacker' }));
      return complete({ query, browser: victim.browser });
    },
    'a link of another session of the browser': async ({
      begin,
      answered,
      complete,
      withPassword,
      ada,
      mia,
    }) => {
      const { session } = await withPassword(ada);
      const other = await withPassword(mia);
      const { location, browser } = unwrap(await begin({ purpose: { kind: 'link', session } }));
      const own = { id: other.session.id, secret: other.secret };
      return complete({ query: answered(location, aPerson()), browser, session: own });
    },
    'a link after the end of the session': async (scene) => {
      const { world, begin, answered, complete, withPassword, ada } = scene;
      const { session, secret } = await withPassword(ada);
      const { location, browser } = unwrap(await begin({ purpose: { kind: 'link', session } }));
      const other = await withPassword(ada);
      unwrap(await endOtherSessions(world)(inPerson(ada), other.session.id));
      return complete({ query: answered(location, aPerson()), browser, session: { id: session.id, secret } });
    },
    'a confirmation with an old secret': async ({ signIn, withPassword, link, ada }) => {
      await link(ada);
      const { session } = await withPassword(ada);
      const own = { id: session.id, secret: 'A'.repeat(43) };
      return signIn({}, { purpose: { kind: 'confirm', session }, session: own });
    },
  },
  attempt_of_other_provider: {
    'sent back to the address of another provider': async ({ begin, answered, complete }) => {
      const { location, browser } = unwrap(await begin({ provider: 'other' as ProviderId }));
      return complete({ query: answered(location, aPerson()), browser });
    },
  },
  identity_not_linked: {
    'no address': ({ signIn }) => signIn({ email: null }),
    'an unknown address': ({ signIn }) => signIn({ email: 'who@acme.example' }),
    'no domain is listed': ({ signIn, configure }) => {
      configure({ linkByEmailOf: [] });
      return signIn();
    },
    'another issuer': async ({ signIn, configure }) => {
      await signIn();
      const issuer = 'https://entra.example/';
      configure({ linkByEmailOf: [], issuer });
      return signIn({ issuer });
    },
    'a confirmation by a person who is not linked': async ({ signIn, withPassword, ada }) => {
      const { session, secret } = await withPassword(ada);
      return signIn({}, { purpose: { kind: 'confirm', session }, session: { id: session.id, secret } });
    },
    'the address of a new user is taken under another spelling': ({ signIn, configure, accountId }) => {
      configure({ createUsersIn: accountId, ...RULES });
      return signIn({ email: '\uff41da@acme.example', roleValues: ['staff'] });
    },
  },
  email_not_verified: {
    'of a user': ({ signIn }) => signIn({ isEmailVerified: false }),
    'of a new user': ({ signIn, configure, accountId }) => {
      configure({ createUsersIn: accountId, linkByEmailOf: [], ...RULES });
      return signIn({ email: 'who@else.example', isEmailVerified: false, roleValues: ['staff'] });
    },
  },
  email_domain_not_listed: {
    'of a user': ({ signIn }) => signIn({ email: 'ada@else.example' }),
    'of a user, although users are created': ({ signIn, configure, accountId, eve }) => {
      configure({ createUsersIn: accountId, ...RULES });
      return signIn({ email: eve.email, roleValues: ['staff'] });
    },
  },
  email_not_proved: {
    'of a user who joined by an invitation': async (scene) => {
      await givenUnproved(scene);
      return scene.signIn({ subject: 'thief', email: 'noor@acme.example' });
    },
  },
  account_not_served: {
    'an address of another account': ({ signIn, configure, eve }) => {
      configure({ linkByEmailOf: ['evil.example'] });
      return signIn({ email: eve.email });
    },
    'an account that is no longer served': async ({ signIn, configure, eve }) => {
      await signIn();
      configure({ accounts: [eve.accountId] });
      return signIn();
    },
    'new users in an account that is not served': ({ signIn, configure, eve }) => {
      configure({ createUsersIn: eve.accountId, ...RULES });
      return signIn({ email: 'who@else.example', roleValues: ['staff'] });
    },
    'a link in another account': ({ link, eve }) => link(eve),
    'an invitation of another account': async (scene) => {
      const { code } = await codeFor(scene, scene.eve.accountId);
      return scene.signIn({ subject: 'noor' }, { purpose: { kind: 'invitation', code } });
    },
  },
  user_is_break_glass: {
    'the address of the user': async ({ world, signIn, ada }) => {
      unwrap(await markBreakGlass(world)(OPERATOR, { email: ada.email }));
      return signIn();
    },
    'on the profile page': async ({ world, link, ada }) => {
      unwrap(await markBreakGlass(world)(OPERATOR, { email: ada.email }));
      return link(ada);
    },
  },
  user_has_other_identity: {
    'another subject with the address': async ({ signIn }) => {
      await signIn();
      return signIn({ subject: 'thief' });
    },
    'another subject on the profile page': async ({ signIn, link, ada }) => {
      await signIn();
      return link(ada, { subject: 'thief' });
    },
  },
  identity_of_other_user: {
    'a link of another user’s identity': async ({ link, ada, mia }) => {
      await link(ada);
      return link(mia);
    },
    'a confirmation by another user': async ({ signIn, link, withPassword, ada, mia }) => {
      await link(ada);
      await link(mia, { subject: 'mia' });
      const { session, secret } = await withPassword(mia);
      return signIn({}, { purpose: { kind: 'confirm', session }, session: { id: session.id, secret } });
    },
    'an invitation for a linked person': async (scene) => {
      await scene.link(scene.ada);
      const { code } = await codeFor(scene);
      return scene.signIn({}, { purpose: { kind: 'invitation', code } });
    },
  },
  invitation_not_accepted: {
    'not a code': ({ begin }) => begin({ purpose: { kind: 'invitation', code: 'x' } }),
    'an unknown code': ({ begin }) =>
      begin({ purpose: { kind: 'invitation', code: `ghi_${'A'.repeat(43)}` } }),
    'revoked while the provider asks': async (scene) => {
      const { invitation, code } = await codeFor(scene);
      const { location, browser } = unwrap(await scene.begin({ purpose: { kind: 'invitation', code } }));
      unwrap(await revokeInvitation(scene.world)(OPERATOR, invitation.id));
      return scene.complete({ query: scene.answered(location, aPerson({ subject: 'noor' })), browser });
    },
  },
  user_not_active: {
    'a disabled user': async ({ world, signIn, ada }) => {
      await signIn();
      unwrap(await disableUser(world)(OPERATOR, { id: ada.id, reason: null, transferTo: null }));
      return signIn();
    },
    'a disabled user who is not linked': async ({ world, signIn, ada }) => {
      unwrap(await disableUser(world)(OPERATOR, { id: ada.id, reason: null, transferTo: null }));
      return signIn();
    },
    'new users in a suspended account': async ({ world, signIn, configure, accountId }) => {
      configure({ createUsersIn: accountId, ...RULES });
      unwrap(await suspendAccount(world)(OPERATOR, { id: accountId, reason: null }));
      return signIn({ email: 'who@else.example', roleValues: ['staff'] });
    },
    'a suspended account': async ({ world, signIn, accountId }) => {
      await signIn();
      unwrap(await suspendAccount(world)(OPERATOR, { id: accountId, reason: null }));
      return signIn();
    },
  },
  roles_left_out: {
    'too many groups': ({ signIn, configure }) => {
      configure(RULES);
      return signIn({ roleValues: 'too-many' });
    },
  },
  no_role: {
    'no matching group': ({ signIn, configure }) => {
      configure(RULES);
      return signIn({ roleValues: ['Staff', 'staff '] });
    },
    'no groups at all': ({ signIn, configure }) => {
      configure(RULES);
      return signIn({ roleValues: null });
    },
    'a link': ({ link, ada, configure }) => {
      configure(RULES);
      return link(ada, { roleValues: [] });
    },
    'an invitation': async (scene) => {
      scene.configure(RULES);
      const { code } = await codeFor(scene);
      return scene.signIn({ subject: 'noor' }, { purpose: { kind: 'invitation', code } });
    },
  },
};
