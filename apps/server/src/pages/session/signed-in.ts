import type { Answer, Endpoint, Header } from '@gatehouse/http';
import { signedInPage } from '../elements/layout.ts';
import { alert, isNoticeName, noticeOf } from '../elements/notice.ts';
import {
  DRAFT_SECONDS,
  type Draft,
  draftValues,
  openDraft,
  sealDraft,
  withoutSecrets,
} from '../forms/draft.ts';
import { type FieldValues, type FormFields, readForm } from '../forms/form-body.ts';
import { isFormToken, userOfForm } from '../forms/form-token.ts';
import type { Html } from '../html.ts';
import { clearCookie, MAX_COOKIE_VALUE_LENGTH, setCookie } from '../http/cookies.ts';
import { problemAnswer, problemView } from '../http/error-page.ts';
import { pageAnswer, redirectAnswer } from '../http/page-answer.ts';
import { createPageEndpoint } from '../page-endpoint.ts';
import { signInPath } from '../paths.ts';
import type { FindSite } from '../site/site.ts';
import type { Outcome } from '../view.ts';
import type { Visit } from '../visit.ts';
import { shellOf } from './find-shell.ts';
import { createOpenRequest, type Opening, type PageRequest, type PageRequestPorts } from './page-request.ts';
import { signInPage, visitSecret } from './sign-in-page.ts';

/** A page for users who are signed in: what it shows, and what its forms do. */
export interface SignedInPage<F extends FormFields> {
  /** @param typed what to show in the form: the user typed it, but nothing came of it */
  show(request: PageRequest, typed?: FieldValues<F>): Promise<Outcome> | Outcome;
  /** The forms that are sent to the page's path. */
  readonly form?: {
    readonly fields: F;
    /** Changes something, or shows the page again with errors. @param target that of the form's token */
    submit(request: PageRequest, values: FieldValues<F>, target: string): Promise<Outcome>;
  };
}

export interface SignedInPorts extends PageRequestPorts {
  readonly findSite: FindSite;
}

/** Makes the endpoint of a page that only a user with a live session sees. */
export type ServeSignedIn = <const F extends FormFields>(page: SignedInPage<F>) => Endpoint;

const OUTDATED =
  'This form was opened in another session of yours, so nothing was changed. Look it over, and send it again.';

const OF_ANOTHER = 'This form was opened by another user, so nothing was changed.';

/** Above what was typed when the session had ended or got a new secret, and comes back with the next request. */
const NOT_DONE =
  'Your session had ended or was being renewed, so this form was not accepted. Look it over, and send it again.';

const ENDED = 'Your session has ended. Sign in again to go on where you were.';

/** How long a notice waits for the next page, in seconds. */
const NOTICE_SECONDS = 60;

export function createSignedIn(ports: SignedInPorts): ServeSignedIn {
  const open = createOpenRequest(ports);
  return (page) => {
    async function show(visit: Visit): Promise<Answer> {
      const opened = await open(visit);
      if (opened.state !== 'open') return redirectAnswer(visit.site, signInPath(visit.target));
      const { request } = opened;
      const draft = openDraft(visit.cookie('draft'), request.formKey);
      const isOwn = draft?.path === visit.target && draft.user === request.user.id;
      const typed = isOwn && page.form ? draftValues(page.form.fields, draft) : undefined;
      return answerWithNotice(request, await page.show(request, typed), typed && alert(NOT_DONE));
    }

    async function submit(
      visit: Visit,
      { fields, submit: act }: NonNullable<typeof page.form>,
    ): Promise<Answer> {
      const sent = await readForm(visit.request, fields);
      if (!sent.ok) return problemAnswer(visit, sent.error);
      const { values, token, target } = sent.value;
      const user = userOfForm(token);
      const typed = withoutSecrets(fields, values);
      const draft = user === undefined ? undefined : { path: visit.target, values: typed, user };
      const opened = await open(visit);
      if (opened.state !== 'open') return notSignedIn(visit, opened, draft);
      const { request } = opened;
      const { formKey } = request;
      if (isFormToken(token, formKey, { path: visit.path, target, user: request.user.id })) {
        const done = await act(request, values, target);
        return done.kind === 'session_ended'
          ? notSignedIn(visit, await open(visit), draft)
          : answer(request, done);
      }
      const isOwn = user === request.user.id;
      const shown = await page.show(request, isOwn && draft ? draftValues(fields, draft) : undefined);
      const said = alert(user === undefined || isOwn ? OUTDATED : OF_ANOTHER);
      return answer(request, shown.kind === 'view' ? { ...shown, status: 403 } : shown, said);
    }

    const { form } = page;
    return createPageEndpoint(ports.findSite, {
      GET: show,
      ...(form && { POST: (visit) => submit(visit, form) }),
    });
  };
}

/** Asks for a sign-in, or leads on where the browser gets a new secret; what was typed goes with it. */
function notSignedIn(visit: Visit, opened: Opening, draft: Draft | undefined): Answer {
  if (opened.state === 'none') {
    const secret = visitSecret(visit);
    const sealed = draft && sealDraft(draft, secret, MAX_COOKIE_VALUE_LENGTH);
    return signInPage(visit, secret, { status: 401, next: visit.target, draft: sealed, problem: ENDED });
  }
  const formKey = opened.state === 'open' ? opened.request.formKey : opened.formKey;
  const sealed = draft && formKey && sealDraft(draft, formKey, MAX_COOKIE_VALUE_LENGTH);
  const kept = sealed ? [setCookie(visit.site, 'draft', sealed, DRAFT_SECONDS)] : [];
  return redirectAnswer(visit.site, signInPath(visit.target), kept);
}

/**
 * Says what the page before has done, and forgets it, and what was typed.
 *
 * @param instead what to say in its place
 */
function answerWithNotice(request: PageRequest, outcome: Outcome, instead?: Html): Answer {
  const isView = outcome.kind === 'view';
  const notice = isView ? request.cookie('notice') : undefined;
  const done = notice !== undefined && isNoticeName(notice) ? noticeOf(notice) : null;
  const said = (isView && instead) || done;
  const used = [
    ...(notice === undefined ? [] : [clearCookie(request.site, 'notice')]),
    ...(request.cookie('draft') === undefined ? [] : [clearCookie(request.site, 'draft')]),
  ];
  return answer(request, outcome, said, used);
}

/** The response of a page to a user who is signed in. @param said stands above the page */
export function answer(
  request: PageRequest,
  outcome: Outcome,
  said: Html | null = null,
  more: readonly Header[] = [],
): Answer {
  const { site } = request;
  if (outcome.kind === 'session_ended') return redirectAnswer(site, signInPath(request.target), more);
  if (outcome.kind === 'redirect') {
    const { notice } = outcome;
    const kept = notice === undefined ? [] : [setCookie(site, 'notice', notice, NOTICE_SECONDS)];
    return redirectAnswer(site, outcome.path, [...kept, ...more]);
  }
  const shown = outcome.kind === 'view' ? outcome : problemView(request, outcome.name);
  const { status = 200, headers = [] } = shown;
  return pageAnswer(site, status, signedInPage(shellOf(request), shown, said), [...headers, ...more]);
}
