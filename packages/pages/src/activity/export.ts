import type { ServerResponse } from 'node:http';
import type { Pages } from '@gatehouse/domain';
import type { AccountId } from '@gatehouse/domain/accounts';
import { formatInstant } from '@gatehouse/domain/time';
import type { Answer, Endpoint, Header } from '@gatehouse/http';
import { backTo } from '../elements/part.ts';
import { html } from '../html.ts';
import { errorAnswer } from '../http/error-page.ts';
import { pageHeaders, redirectAnswer } from '../http/page-answer.ts';
import { createSlots } from '../http/slots.ts';
import { createPageEndpoint } from '../page-endpoint.ts';
import { SECOND_FACTOR, signInPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { answerPage } from '../session/answer-page.ts';
import { openRequest, type PageRequest, type PageRequestPorts } from '../session/page-request.ts';
import { refusingToken } from '../session/refusing-token.ts';
import { denied, redirect, view } from '../view.ts';
import type { Visit } from '../visit.ts';
import { activityPath, filtersOf, readAddress } from './address.ts';
import { FORMATS, type FormatName, parseFormat } from './export/formats.ts';
import { MAX_EXPORTED, writeExport } from './export/write-export.ts';
import { selectableIn } from './selectable.ts';

type Ports = PageRequestPorts &
  Pick<PagePorts, 'catalog' | 'findSite' | 'isDraining' | 'listAccountAuditEvents' | 'log' | 'pause'>;

/** Few exports run at once, because each reads many events. */
const LIMITS = { total: 4, each: 1 };

const RETRY: Header = ['retry-after', '10'];

const BUSY = view({
  title: 'Another export is running',
  status: 503,
  headers: [RETRY],
  above: backTo('../activity', 'Activity'),
  content: html`<p class="lead">An account runs one export at a time, and a server runs a few. Try again when the other export has ended.</p>`,
});

/**
 * `/settings/api/activity/export`: the events of the account that the filters select, as a file. The events are sent
 * while they are read, so an export of any length needs memory for one page of them.
 */
export function exportEndpoint(ports: Ports): Endpoint {
  const selectable = selectableIn(ports.catalog);
  const slots = createSlots<AccountId>(LIMITS);

  async function show(visit: Visit): Promise<Answer> {
    // Without this check, a page of another site could make a browser export, and use up the exports of the account.
    if (visit.isFromOtherOrigin) return errorAnswer(visit, 'cross_site_request');
    const opened = await openRequest(ports, visit);
    if (opened.state === 'must_enrol') return redirectAnswer(visit.site, SECOND_FACTOR);
    if (opened.state !== 'open') return redirectAnswer(visit.site, signInPath(visit.target));
    const { request } = opened;
    const format = parseFormat(request.query.get('format'));
    const address = readAddress(selectable, request.query);
    if (format === undefined) return errorAnswer(visit, 'not_found');
    const listed = await ports.listAccountAuditEvents(request.caller, {
      ...filtersOf(selectable, address),
      limit: MAX_EXPORTED + 1,
    });
    if (!listed.ok && isDenied(listed.error)) return answerPage(request, denied(listed.error));
    // The page of the list says what is not valid, instead of an export of other events than the reader asked for.
    if (!listed.ok || address.leftOut.length > 0) return answerPage(request, redirect(listPath(visit)));

    const { accountId } = request.caller;
    if (slots.isFull(accountId)) return answerPage(request, BUSY);
    const { method, response } = visit.request;
    if (method !== 'HEAD') slots.hold(accountId, response);
    // The first events are read before the answer begins, so that the answer tells of a database that is not reached.
    const pages = await begun(listed.value);
    const stream = (response: ServerResponse) =>
      writeExport(ports, response, FORMATS[format], pages, () => mayStillRead(request)).catch((err) => {
        ports.log.warn({ err }, 'an export of the activity failed');
        response.destroy();
      });
    return { status: 200, headers: headersOf(request, format), body: null, isSameOrigin: true, stream };
  }

  /** Whether the session goes on, and its user is still an admin. Does not extend the session. */
  async function mayStillRead(request: PageRequest): Promise<boolean> {
    const again = await openRequest(ports, request, { extend: false }, request.secret);
    return (
      again.state === 'open' && (await ports.listAccountAuditEvents(again.request.caller, { limit: 0 })).ok
    );
  }

  return createPageEndpoint(ports.findSite, { GET: refusingToken(show) });
}

/** Reads the first page, and returns all pages. */
async function begun<T>(pages: AsyncGenerator<readonly T[]>): Promise<Pages<T>> {
  const first = await pages.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* pages;
  })();
}

const isDenied = (error: { readonly code: string }): error is Parameters<typeof denied>[0] =>
  !NAME_ERRORS.has(error.code);

/** The errors that the page of the list shows. */
const NAME_ERRORS: ReadonlySet<string> = new Set(['user_not_found', 'token_not_found', 'too_many_named']);

const listPath = ({ target, path }: Visit) => `${activityPath()}${target.slice(path.length)}`;

function headersOf({ now, site }: PageRequest, format: FormatName): readonly Header[] {
  const day = formatInstant(now).slice(0, 10);
  return [
    ['content-type', FORMATS[format].contentType],
    ['content-disposition', `attachment; filename="activity-${day}.${format}"`],
    // Without this header field, nginx keeps an export in a file before it sends it on.
    ['x-accel-buffering', 'no'],
    ...pageHeaders(site),
  ];
}
