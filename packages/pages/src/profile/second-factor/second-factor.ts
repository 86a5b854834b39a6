import { SetupFault } from '@gatehouse/domain';
import { demandsSecondFactor } from '@gatehouse/domain/second-factor';
import { type FieldErrors, type FieldValues, formView } from '../../elements/form.ts';
import { button, buttonLink } from '../../elements/inline.ts';
import { warning } from '../../elements/notice.ts';
import { facts, section } from '../../elements/part.ts';
import { time } from '../../elements/time.ts';
import { type Html, html } from '../../html.ts';
import type { Found, PageUseCases, Refused } from '../../page-use-cases.ts';
import { RECOVERY_CODES, REMOVE_SECOND_FACTOR, SECOND_FACTOR } from '../../paths.ts';
import { confirmGivenPassword, passwordAgain } from '../../session/given-password.ts';
import type { PageRequest } from '../../session/page-request.ts';
import type { SignedInPage } from '../../session/signed-in.ts';
import {
  denied,
  type FormOutcome,
  type Outcome,
  redirect,
  SESSION_ENDED,
  type View,
  view,
  withAlert,
} from '../../view.ts';
import { profileTabs } from '../profile-tabs.ts';
import { CONFIRM, ENROLMENT_FIELDS, enrolmentView } from './enrolment.ts';
import { recoveryCodesView } from './recovery-codes.ts';

type Ports = Pick<
  PageUseCases,
  'beginEnrolment' | 'confirmEnrolment' | 'confirmPassword' | 'findEnrolment' | 'showOwnSecondFactor'
>;

type Own = Found<'showOwnSecondFactor'>;
type Values = FieldValues<typeof ENROLMENT_FIELDS>;

/** How long the page tells of a reset, in milliseconds: 30 days. */
const TOLD_MS = 30 * 86_400_000;

const OLDER_EDITION =
  'A server or a command of an older version is connected to the database. It would not ask for the second factor, so it was not set up. Try again after all servers were upgraded.';

const WRONG = {
  field: 'code',
  message: 'The code is wrong. Enter the newest code, and check the clock of the device with the app.',
};

/** `/settings/second-factor`: shows the user's second factor, or sets one up. */
export function secondFactorPage(ports: Ports): SignedInPage<typeof ENROLMENT_FIELDS> {
  async function show(request: PageRequest): Promise<Outcome> {
    const found = await ports.showOwnSecondFactor(request.caller);
    if (!found.ok) return denied(found.error);
    return found.value.enrolled ? enrolledView(request, found.value) : offerView(request, found.value);
  }

  async function begin(request: PageRequest, values: Values): Promise<FormOutcome> {
    const found = await ports.showOwnSecondFactor(request.caller);
    if (!found.ok) return denied(found.error);
    const again = (errors: FieldErrors, shownTo = request) => offerView(shownTo, found.value, errors);
    const given = await confirmGivenPassword(ports, request, values, again);
    if (!given.ok) return given.error;
    const { caller, session, user } = given.value;
    const begun = await ports.beginEnrolment(caller, { session, user });
    if (begun.ok) return enrolmentView(given.value, begun.value);
    return refused(begun.error, () => again([], given.value));
  }

  async function confirm(request: PageRequest, { sealed, ...values }: Values): Promise<FormOutcome> {
    const { session, user } = request;
    const begun = await ports.findEnrolment(request.caller, { session, user, sealed });
    if (!begun.ok)
      return begun.error.code === 'enrolment_not_valid'
        ? redirect(SECOND_FACTOR, 'enrolment_outdated')
        : denied(begun.error);
    const again = (errors: FieldErrors, shownTo = request) => enrolmentView(shownTo, begun.value, errors);
    const given = await confirmGivenPassword(ports, request, values, again);
    if (!given.ok) return given.error;
    const { caller, ...own } = given.value;
    const input = { session: own.session, user: own.user, sealed, code: values.code };
    const enrolled = await ports.confirmEnrolment(caller, input);
    if (enrolled.ok) {
      const lead = html`<p class="lead">Your second factor is on. From now on, you enter a code after your password.</p>`;
      return recoveryCodesView(given.value, 'Second factor turned on', enrolled.value.recoveryCodes, lead);
    }
    const { error } = enrolled;
    if (error.code === 'second_factor_wrong') return again([WRONG], given.value);
    return refused(error, () => again([], given.value));
  }

  return {
    isEnrolment: true,
    show,
    form: {
      fields: ENROLMENT_FIELDS,
      submit: (request, values, target) =>
        target === CONFIRM ? confirm(request, values) : begin(request, values),
    },
  };
}

type Refusal = Exclude<
  Refused<'beginEnrolment' | 'confirmEnrolment'>,
  { readonly code: 'second_factor_wrong' }
>;

/** Answers an enrolment that was refused. @param shown the form, for a refusal that passes */
function refused(error: Refusal, shown: () => View): Outcome {
  switch (error.code) {
    case 'older_edition_serves':
      return withAlert(shown(), OLDER_EDITION, 409);
    case 'second_factor_enrolled':
      return redirect(SECOND_FACTOR, 'second_factor_there');
    case 'enrolment_not_valid':
      return redirect(SECOND_FACTOR, 'enrolment_outdated');
    case 'password_not_fresh':
    case 'session_not_found':
      return SESSION_ENDED;
    case 'master_key_rejected':
      throw new SetupFault(
        'the master key does not decrypt the signing keys, so no user can enrol a second factor',
      );
    default:
      return denied(error);
  }
}

function offerView(request: PageRequest, own: Own, errors: FieldErrors = []): View {
  return formView(request, {
    title: 'Second factor',
    above: profileTabs(request),
    scripts: ['send-once.js'],
    lead: html`${request.mustEnrol && warning(html`<p><strong>Your account demands a second factor from admins.</strong> Set one up to continue.</p>`)}${lastReset(request, own)}
<p class="lead">With a second factor, a stolen password is not enough to sign in as you. After the password, you enter a code of an authenticator app.</p>
<p>You can then no longer sign in to the API with your password (<code>POST /api/v1/auth.json</code>). API tokens keep working.</p>`,
    action: SECOND_FACTOR,
    target: 'begin',
    fields: ENROLMENT_FIELDS,
    errors,
    content: (field) => html`${passwordAgain(request, field)}
<p class="actions">${button('Set up', 'primary')}</p>`,
  });
}

function enrolledView(request: PageRequest, own: Own): View {
  const { now, secondFactor, user } = request;
  const isDemanded = demandsSecondFactor(secondFactor, user.role);
  const left = own.enrolled?.recoveryCodesLeft ?? 0;
  return view({
    title: 'Second factor',
    above: profileTabs(request),
    content: html`${lastReset(request, own)}<div class="sheet">${facts([
      ['State', 'On: you enter a code of your authenticator app after your password'],
      ['Set up', own.enrolled && time(own.enrolled.enrolledAt, now)],
      ['Recovery codes left', left],
    ])}</div>
${section(
  'Recovery codes',
  html`<p>Each replaces one code of your app, for example if you lose your phone.</p><p class="actions">${buttonLink(RECOVERY_CODES, 'Create new recovery codes')}</p>`,
)}
${section(
  'Remove the second factor',
  isDemanded
    ? html`<p>Your account demands a second factor from admins, so you cannot remove it. To move to another device, ask an operator of Gatehouse to reset it.</p>`
    : html`<p>Also to move to another device: remove it, and set it up again there.</p><p class="actions">${buttonLink(REMOVE_SECOND_FACTOR, 'Remove')}</p>`,
  'danger',
)}`,
  });
}

/** Tells the user of a reset by an operator, so that one that the user did not ask for is noticed. */
function lastReset({ now }: PageRequest, { lastReset: reset }: Own): Html | null {
  if (!reset || now - reset.at > TOLD_MS) return null;
  return warning(
    html`<p>An operator removed your second factor ${time(reset.at, now)}. The reason: ${reset.reason}</p>`,
  );
}
