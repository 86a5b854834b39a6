import { defineRefusals } from '@gatehouse/extension-kit';
import { formatInstant } from '@gatehouse/extension-kit/domain';
import {
  defineRoute,
  handleRoute,
  named,
  organizationId,
  PRIVATE,
  pageOf,
  pageQuery,
  pageResult,
  resourceId,
  time,
} from '@gatehouse/extension-kit/http';
import { z } from 'zod';
import { parseVisitId, READ_VISITS, type VisitUseCases } from './visit.ts';

export const refusals = defineRefusals({
  visit_under_way: { status: 409, title: 'The visitor is there already.', exit: 'conflict' },
});

const visit = named('Visit', z.strictObject({ id: resourceId, visitor: z.string(), started_at: time }));

const listVisits = defineRoute({
  operationId: 'listVisits',
  method: 'GET',
  path: '/api/v1/orgs/{organization}/visits',
  tag: 'Visits',
  summary: 'List the visits to an organization',
  rule: READ_VISITS,
  params: { organization: organizationId },
  query: pageQuery(resourceId.transform((id) => parseVisitId(String(id)))),
  success: { status: 200, description: 'A page.', body: pageOf(visit), cacheControl: PRIVATE, etag: true },
  problems: ['not_allowed', 'not_found'],
});

export const routes = [listVisits];

export function serve(useCases: VisitUseCases) {
  return [
    handleRoute(listVisits, {
      async handle({ caller, params, query: { limit, cursor } }) {
        const input = { organizationId: params.organization, after: cursor, limit: limit + 1 };
        return pageResult(await useCases.listVisits(caller, input), limit, ({ id }) => id);
      },
      toBody: ({ things, nextCursor }) => ({
        items: things.map(({ id, visitor, startedAt }) => ({
          id,
          visitor,
          started_at: formatInstant(startedAt),
        })),
        next_cursor: nextCursor,
      }),
    }),
  ];
}
