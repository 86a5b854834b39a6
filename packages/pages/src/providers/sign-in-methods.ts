import type { OwnIdentities, OwnIdentity } from '@gatehouse/domain/identity-providers';
import { type FieldErrors, type FieldValues, form, formView } from '../elements/form.ts';
import { button, buttonLink, email, name, state } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { emptyState, section } from '../elements/part.ts';
import { table } from '../elements/table.ts';
import { time } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import { PASSWORD, SIGN_IN_METHODS, signInWithPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { profileTabs } from '../profile/profile-tabs.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, leave, type Outcome, redirect, SESSION_ENDED, type View, view, withAlert } from '../view.ts';
import { type BeginPorts, beginAttempt } from './begin-attempt.ts';
import { refusedView } from './refused-answer.ts';

type Ports = BeginPorts & Pick<PagePorts, 'confirmPassword' | 'listOwnIdentities' | 'unlinkOwnIdentity'>;

const FIELDS = { provider: { label: 'Identity provider', type: 'select' }, ...PASSWORD_FIELD } as const;

/** The target of the form that links. The target of each other form is the issuer of the identity that it unlinks. */
const LINK = 'link';

const NO_PASSWORD =
  'You have no password, so you could not sign in any more. Ask an admin of your account for a reset link, and set one first.';

/** `/settings/sign-in`: shows how the user signs in, links identities of providers and unlinks them. */
export function signInMethodsPage(ports: Ports): SignedInPage<typeof FIELDS> {
  async function link(request: PageRequest, means: OwnIdentities, typed: FieldValues<typeof FIELDS>) {
    const again = (errors: FieldErrors) => methodsView(request, means, { typed, errors });
    const chosen = means.linkable.find(({ id }) => id === typed.provider);
    if (!chosen) return again([{ field: 'provider', message: 'Choose a provider of the list.' }]);
    const given = await confirmGivenPassword(ports, request, typed, again);
    if (!given.ok) return given.error;
    const purpose = { kind: 'link', session: given.value.session } as const;
    const begun = await beginAttempt(ports, given.value, chosen.id, purpose, null);
    if (!begun.ok) return refusedView(request, begun.error);
    return leave(begun.value.location, chosen.label, begun.value.headers);
  }

  async function unlink(request: PageRequest, means: OwnIdentities, issuer: string): Promise<Outcome> {
    const unlinked = await ports.unlinkOwnIdentity(request.caller, { issuer });
    // The session of this browser ends with the identity that opened it.
    if (unlinked.ok)
      return request.session.provider?.issuer === issuer
        ? SESSION_ENDED
        : redirect(SIGN_IN_METHODS, 'identity_unlinked');
    const { error } = unlinked;
    if (error.code === 'password_missing') return withAlert(methodsView(request, means), NO_PASSWORD, 409);
    if (error.code === 'identity_not_found') return redirect(SIGN_IN_METHODS, 'identity_unlinked');
    return denied(error);
  }

  return {
    async show(request, typed) {
      const means = await ports.listOwnIdentities(request.caller);
      return means.ok ? methodsView(request, means.value, { typed }) : denied(means.error);
    },
    form: {
      fields: FIELDS,
      async submit(request, values, target) {
        const means = await ports.listOwnIdentities(request.caller);
        if (!means.ok) return denied(means.error);
        return target === LINK ? link(request, means.value, values) : unlink(request, means.value, target);
      },
    },
  };
}

interface Shown {
  readonly typed?: FieldValues<typeof FIELDS> | undefined;
  readonly errors?: FieldErrors;
}

function methodsView(request: PageRequest, means: OwnIdentities, { typed, errors = [] }: Shown = {}): View {
  const { linkable, hasPassword } = means;
  const password = hasPassword
    ? html`<p>${state('good', 'Set')} <a href="${PASSWORD}">Change your password</a></p>`
    : html`<p>${state('neutral', 'Not set')} You sign in with an identity provider only.</p>`;
  const above = html`${profileTabs(request)}`;
  const parts = html`${section('Password', password)}
${section('Identity providers', html`${confirmation(request, means)}${identitiesOf(request, means)}`)}`;
  const [first] = linkable;
  if (!first) return view({ title: 'Sign-in', above, content: parts });
  return formView(request, {
    title: 'Sign-in',
    above,
    lead: parts,
    scripts: ['send-once.js'],
    action: SIGN_IN_METHODS,
    target: LINK,
    fields: FIELDS,
    values: { provider: typed?.provider || first.id },
    errors,
    content: (field) => html`<h2>Link an identity</h2>
${field('provider', { options: Object.fromEntries(linkable.map(({ id, label }) => [id, label])) })}
${passwordAgain(request, field)}
<p class="actions">${button('Link identity', 'primary')}</p>`,
  });
}

/** How long before the end of a confirmation the page warns of it. */
const SOON_MS = 3 * 86_400_000;

/**
 * Says until when API tokens of the user are accepted, if the account has such a rule, with a button that confirms the
 * user if this is soon.
 */
function confirmation({ user, now }: PageRequest, { identities }: OwnIdentities): Html | null {
  const until = user.confirmedUntil;
  if (until === null) return null;
  const linked = identities.find(({ provider }) => provider)?.provider;
  if (until > now + SOON_MS)
    return html`<p class="hint">Your account demands that an identity provider confirms you. Your API tokens stop working ${time(until, now)}. Each sign-in with the provider starts this time again.</p>`;
  const deed = linked ? 'sign in with your identity provider again' : 'link an identity';
  const again =
    linked &&
    html`<p class="actions">${buttonLink(signInWithPath(linked.id, SIGN_IN_METHODS), `Sign in with ${linked.label} again`)}</p>`;
  const text =
    until <= now
      ? html`Your API tokens are refused until you ${deed}.`
      : html`Your API tokens stop working ${time(until, now)}. To keep them working, ${deed}.`;
  return html`${warning(html`<p>${text}</p>`)}${again}`;
}

function identitiesOf(request: PageRequest, { identities, linkable, breakGlassAt }: OwnIdentities): Html {
  const { now } = request;
  if (breakGlassAt !== null)
    return html`<p>An operator keeps this user for emergencies, so you sign in with the password only.</p>`;
  if (identities.length === 0 && linkable.length === 0)
    return html`<p>Your account uses no identity provider.</p>`;
  if (identities.length === 0)
    return emptyState('No identity is linked', 'Link one to sign in without the password of Gatehouse.');
  const unlinking = ({ issuer }: OwnIdentity) =>
    form(request, { action: SIGN_IN_METHODS, target: issuer, content: button('Unlink'), layout: 'inline' });
  return table({
    caption: 'Your identities',
    columns: {
      Provider: ({ provider, issuer }) => provider?.label ?? html`<code>${issuer}</code>`,
      'Known there as': ({ email: known, subject }) =>
        known === null ? html`<code>${name(subject)}</code>` : html`<bdi>${email(known)}</bdi>`,
      Linked: ({ linkedAt }) => time(linkedAt, now),
      'Last sign-in': ({ confirmedAt }) => time(confirmedAt, now),
      Action: unlinking,
    },
    hiddenLabel: 'Action',
    rows: identities,
  });
}
