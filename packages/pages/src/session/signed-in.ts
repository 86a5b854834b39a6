import type { Answer, Endpoint } from '@gatehouse/http';
import type { Fields, FieldValues } from '../elements/form.ts';
import { alert } from '../elements/notice.ts';
import { type Draft, draftValues, openDraft, withoutSecrets } from '../forms/draft.ts';
import { readForm } from '../forms/form-body.ts';
import { isFormToken, userOfForm } from '../forms/form-token.ts';
import { errorAnswer } from '../http/error-page.ts';
import { redirectAnswer } from '../http/page-answer.ts';
import { createPageEndpoint } from '../page-endpoint.ts';
import { SECOND_FACTOR, signInPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { BeginPorts } from '../providers/begin-attempt.ts';
import type { FormOutcome, Outcome } from '../view.ts';
import type { Visit } from '../visit.ts';
import { answerNotSignedIn, answerPage, answerWithNotice } from './answer-page.ts';
import { confirmIdentity } from './confirm-identity.ts';
import {
  type Opening,
  openRequest,
  type PageRequest,
  type PageRequestPorts,
  requestIn,
} from './page-request.ts';
import { refusingToken } from './refusing-token.ts';
import type { SignInPagePorts } from './sign-in-page.ts';

/** A page for signed-in users, and the forms that are sent to its path. */
export interface SignedInPage<F extends Fields = Record<never, never>> {
  /** Whether users see the page who have to enrol a second factor before they see any other. Default: false. */
  readonly isEnrolment?: boolean;
  /** Shows the page. @param typed the values of a form that the server did not accept */
  show(request: PageRequest, typed?: FieldValues<F>): Promise<Outcome> | Outcome;
  readonly form?: {
    readonly fields: F;
    /**
     * Carries out what the form asks for, or shows the page again with errors. @param target distinguishes the forms of
     * the page
     */
    submit(request: PageRequest, values: FieldValues<F>, target: string): Promise<FormOutcome>;
  };
}

const OUTDATED =
  'This form was opened in another session of yours, so nothing was changed. Check the form and send it again.';

const OF_ANOTHER = 'This form was opened by another user, so nothing was changed.';

/** Shown above the values that the user had typed before the session ended or got a new secret. */
const NOT_DONE =
  'Your session had ended or was being renewed, so this form was not accepted. Check the form and send it again.';

/**
 * Returns the request with which the page may be opened; undefined if no user is signed in. A user who has to enrol a
 * second factor is led to the enrolment from every other page.
 */
function enter(visit: Visit, opened: Opening, { isEnrolment = false }: Pick<SignedInPage, 'isEnrolment'>) {
  if (opened.state === 'must_enrol' && !isEnrolment) return redirectAnswer(visit.site, SECOND_FACTOR);
  return requestIn(opened);
}

/** Makes the endpoint of a page for signed-in users. */
export type SignedIn = ReturnType<typeof createSignedIn>;

/** The pages of an area, by their paths. */
export type PageTable = Readonly<Record<string, Endpoint>>;

/**
 * Returns a function that makes the endpoint of a page. A form is handled in this order: read the form, find the
 * session, check the form token, carry out what the form asks for, answer.
 */
export function createSignedIn(
  ports: PageRequestPorts & BeginPorts & SignInPagePorts & Pick<PagePorts, 'findSite'>,
) {
  return <const F extends Fields>(page: SignedInPage<F>): Endpoint => {
    const { form } = page;

    async function show(visit: Visit): Promise<Answer> {
      const opened = await openRequest(ports, visit);
      const entered = enter(visit, opened, page);
      if (entered === undefined) return redirectAnswer(visit.site, signInPath(visit.target));
      if ('status' in entered) return entered;
      const request = entered;
      const draft = openDraft(visit.cookie('draft'), request.formKey);
      const isOwn = draft?.path === visit.target && draft.user === request.user.id;
      const typed = isOwn && form ? draftValues(form.fields, draft) : undefined;
      return answerWithNotice(request, await page.show(request, typed), typed && alert(NOT_DONE));
    }

    async function submit(visit: Visit, { fields, submit: act }: NonNullable<typeof form>): Promise<Answer> {
      const sent = await readForm(visit.request, fields);
      if (!sent.ok) return errorAnswer(visit, sent.error);
      const { values, token, target } = sent.value;
      const user = userOfForm(token);
      const typed = withoutSecrets(fields, values);
      const draft: Draft | undefined =
        user === undefined ? undefined : { path: visit.target, values: typed, user };

      const opened = await openRequest(ports, visit);
      const entered = enter(visit, opened, page);
      if (entered === undefined) return answerNotSignedIn(ports, visit, opened, draft);
      if ('status' in entered) return entered;
      const request = entered;

      const purpose = { path: visit.path, target, user: request.user.id };
      if (!isFormToken(token, request.formKey, purpose)) {
        const isOwn = user === request.user.id;
        const shown = await page.show(request, isOwn && draft ? draftValues(fields, draft) : undefined);
        const said = alert(user === undefined || isOwn ? OUTDATED : OF_ANOTHER);
        return answerPage(request, shown.kind === 'view' ? { ...shown, status: 403 } : shown, said);
      }

      const done = await act(request, values, target);
      if (done.kind === 'session_ended')
        return answerNotSignedIn(ports, visit, await openRequest(ports, visit), draft);
      if (done.kind === 'confirm_identity') return confirmIdentity(ports, request, draft);
      return answerPage(request, done);
    }

    return createPageEndpoint(ports.findSite, {
      GET: refusingToken(show),
      ...(form && { POST: refusingToken((visit) => submit(visit, form)) }),
    });
  };
}
