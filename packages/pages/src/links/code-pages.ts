import type { InvalidInput, Result } from '@gatehouse/domain';
import type { ChoiceRefused, CodeInput, CodeRefusal } from '@gatehouse/domain/links';
import type { User } from '@gatehouse/domain/users';
import type { Answer, Endpoint, Header } from '@gatehouse/http';
import type { AssetName } from '../assets.ts';
import {
  errorSummary,
  type FieldErrors,
  type Fields,
  type FieldValues,
  form,
  type ShowField,
  showFields,
} from '../elements/form.ts';
import { button } from '../elements/inline.ts';
import { page } from '../elements/layout.ts';
import { alert, type NoticeName, warning } from '../elements/notice.ts';
import { readForm } from '../forms/form-body.ts';
import { formToken, isFormToken } from '../forms/form-token.ts';
import { type Html, html } from '../html.ts';
import { setCookie } from '../http/cookies.ts';
import { errorAnswer } from '../http/error-page.ts';
import { pageAnswer, redirectAnswer } from '../http/page-answer.ts';
import { createPageEndpoint } from '../page-endpoint.ts';
import { SIGN_IN, SIGN_OUT } from '../paths.ts';
import { answerPage } from '../session/answer-page.ts';
import { passwordLimit } from '../session/given-password.ts';
import type { FindSignedIn } from '../session/open-page.ts';
import type { PageRequest } from '../session/page-request.ts';
import { visitSecret } from '../session/sign-in-page.ts';
import type { FindSite } from '../site/site.ts';
import { type View, view } from '../view.ts';
import type { Visit } from '../visit.ts';

/** The fields of every page that takes the code of a link. `step` is `use` if the person has seen what the code does. */
export const CODE_FIELDS = {
  code: { label: 'Code', hint: 'Paste the link or the code.', isRequired: true, maxLength: 2000 },
  step: { label: '' },
} as const;

interface CodePage<F extends Fields, Found> {
  readonly path: string;
  readonly title: string;
  /** Says where the code is from. */
  readonly lead: string;
  /** The fields, `CODE_FIELDS` included. */
  readonly fields: F;
  /** Finds what the code is for, and changes nothing. */
  find(input: CodeInput): Promise<Result<Found, CodeRefusal>>;
  /** The address of the user whom the code is for. */
  emailOf(found: Found): string;
  /** Other ways than the second form, each a form of its own that `elsewhere` answers. */
  readonly others?: (found: Found, formOf: FormOf) => Html | null;
  /** Answers a form of `others`. @param step the value of the field `step` */
  readonly elsewhere?: (visit: Visit, step: string, code: string) => Promise<Answer> | undefined;
  /** Renders the fields of the second form. */
  content(found: Found, field: ShowField<keyof F & string>): Html;
  /** The values that the second form has when it opens. */
  proposed(found: Found): Readonly<Record<string, string>>;
  /** Returns what is wrong with what the person chose. `use` asks the same. */
  problems(found: Found, values: FieldValues<F>): InvalidInput['problems'];
  use(
    values: FieldValues<F> & { readonly code: string },
    address: string,
  ): Promise<Result<User, CodeRefusal | ChoiceRefused<Found>>>;
  /** The notice on the sign-in page after the code was used. */
  readonly notice: NoticeName;
  /** The title of the page after the code was used in a browser in which another user is signed in. */
  readonly done: string;
}

/** Renders a form that goes to the page, with this value of the field `step`. */
export type FormOf = (step: string, content: Html) => Html;

/** The ports of every page that takes the code of a link. */
export interface CodePorts {
  readonly findSite: FindSite;
  readonly findSignedIn: FindSignedIn;
}

const DEAD = 'This code is not valid, or no longer valid. Ask for a new link.';

const OUTDATED =
  'This form was open for too long, or your browser blocks cookies. Allow cookies for this site and try again.';

/**
 * Serves a page that takes the code of a link. Opening the page uses nothing up, so programs that open links in mails
 * do no harm. The first form shows what the code is for, and the second one uses it.
 */
export function codeEndpoint<F extends Fields, Found>(
  { findSite, findSignedIn }: CodePorts,
  parts: CodePage<F, Found>,
): Endpoint {
  const { path, title, lead, fields } = parts;

  interface Shown {
    readonly content: Html;
    readonly hidden?: Readonly<Record<string, string>>;
    readonly errors?: FieldErrors;
    readonly problem?: string | undefined;
    readonly status?: number;
    readonly headers?: readonly Header[];
    readonly scripts?: readonly AssetName[];
    /** Shown below the form. */
    readonly below?: (formOf: FormOf) => Html | null;
  }

  function answer(visit: Visit, shown: Shown, secret = visitSecret(visit)): Answer {
    const {
      content: inForm,
      hidden = {},
      errors = [],
      problem,
      status = 200,
      headers = [],
      scripts = [],
    } = shown;
    const { below } = shown;
    const tokens = { formToken: (of: string, target?: string) => formToken(secret, { path: of, target }) };
    const shownForm = form(tokens, { action: path, hidden, content: inForm });
    const formOf: FormOf = (step, content) =>
      form(tokens, { action: path, hidden: { ...hidden, step }, content, layout: 'inline' });
    const content = html`${errorSummary(errors, fields)}${shownForm}${below?.(formOf)}`;
    const all = view({ title, scripts, content });
    const cookie = visit.cookie('visit') === secret ? [] : [setCookie(visit.site, 'visit', secret)];
    const shownPage = page(all, problem === undefined ? null : alert(problem));
    return pageAnswer(visit.site, status, shownPage, [...cookie, ...headers]);
  }

  const first = (visit: Visit, shown: Partial<Shown> & { readonly code?: string } = {}) => {
    const field = showFields<Fields>(fields, { code: shown.code });
    return answer(visit, {
      ...shown,
      scripts: ['link-code.js'],
      content: html`<p class="lead">${lead}</p>${field('code', { hasFocus: true })}
<p class="hint" id="code-said" aria-live="polite"></p>${button('Continue', 'primary')}`,
    });
  };

  async function second(
    visit: Visit,
    found: Found,
    {
      code,
      typed,
      errors = [],
    }: { readonly code: string; readonly typed: FieldValues<F>; readonly errors?: FieldErrors },
  ) {
    const signedIn = await findSignedIn(visit);
    const email = parts.emailOf(found);
    const other = signedIn && signedIn.user.email !== email ? ofAnother(signedIn.user.email, email) : null;
    return answer(visit, {
      errors,
      status: errors.length > 0 ? 422 : 200,
      hidden: { code, step: 'use' },
      scripts: ['link-code.js', 'send-once.js'],
      content: html`${other}${parts.content(found, showFields(fields, typed, errors))}`,
      below: (formOf) => parts.others?.(found, formOf) ?? null,
    });
  }

  /** Answers after the code was used. A user who is signed in as another one does not get the notice of this user. */
  async function used(visit: Visit, { email }: User): Promise<Answer> {
    const signedIn = await findSignedIn(visit);
    return signedIn
      ? answerPage(signedIn, doneView(signedIn, parts.done, email))
      : redirectAnswer(visit.site, SIGN_IN, [setCookie(visit.site, 'notice', parts.notice)]);
  }

  /** A code that is dead is not shown again. One that has to wait stays in the form, so the person can try it again. */
  function refused(visit: Visit, error: CodeRefusal, code: string): Answer {
    if (error.code === 'link_not_accepted') return first(visit, { problem: DEAD, status: 422 });
    const { text, ...limit } = passwordLimit(error);
    return first(visit, { ...limit, problem: text, code });
  }

  async function submit(visit: Visit): Promise<Answer> {
    const sent = await readForm(visit.request, fields);
    if (!sent.ok) return errorAnswer(visit, sent.error);
    const { values, token, target } = sent.value;
    const { code, step, again, password } = values as Readonly<Record<string, string>>;
    const asked = { code: code ?? '', address: visit.request.address };
    if (!isFormToken(token, visitSecret(visit), { path, target }))
      return first(visit, { problem: OUTDATED, status: 403, code: asked.code });
    const answered = parts.elsewhere?.(visit, step ?? '', asked.code);
    if (answered) return answered;
    const isUsing = step === 'use';
    if (isUsing && again === password) {
      const done = await parts.use({ ...values, code: asked.code }, asked.address);
      if (done.ok) return used(visit, done.value);
      if (done.error.code !== 'invalid_input') return refused(visit, done.error, asked.code);
      const { found, problems } = done.error;
      return second(visit, found, { code: asked.code, typed: values, errors: problems });
    }
    const found = await parts.find(asked);
    if (!found.ok) return refused(visit, found.error, asked.code);
    if (isUsing) {
      const chosen = parts.problems(found.value, values);
      const errors = [...chosen, { field: 'again', message: 'Passwords do not match.' }];
      return second(visit, found.value, { code: asked.code, typed: values, errors });
    }
    const typed = { ...values, ...parts.proposed(found.value) };
    return second(visit, found.value, { code: asked.code, typed });
  }

  return createPageEndpoint(findSite, { GET: (visit) => first(visit), POST: submit });
}

const ofAnother = (signedIn: string, email: string) =>
  warning(html`<p>This browser is signed in as ${signedIn}. This page is for ${email}.</p>`);

/** The page after the code was used, if another user is signed in in this browser. */
function doneView(request: PageRequest, title: string, email: string): View {
  return view({
    title,
    content: html`<p class="lead">${email} can sign in with the new password.</p>
<p>This browser is still signed in as ${request.user.email}.</p>
${form(request, { action: SIGN_OUT, content: button('Sign out to continue', 'primary') })}`,
  });
}
