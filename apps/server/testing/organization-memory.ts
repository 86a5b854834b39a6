/**
 * Prints the heap that an organization takes with what the server keeps of its answer, in bytes. Run it with
 * `node --expose-gc`, like kept-answers.test.ts: in a separate process without other garbage.
 */
import { ROUTES } from '@gatehouse/api-contract';
import { createReadCaches } from '@gatehouse/cache';
import type { Organization, OrganizationId, OrganizationReader } from '@gatehouse/domain/organizations';
import { anOrganization, aReader } from '@gatehouse/domain/testing';
import type { Instant } from '@gatehouse/domain/time';
import type { HttpRequest } from '@gatehouse/http';
import { createSucceed } from '@gatehouse/http';

const COUNT = 20_000;
const READER = aReader();

// An answer needs only the header fields of a request.
const request = { headers: {} } as HttpRequest;
const answer = createSucceed(ROUTES.getOrg, {
  toBody: ({ id, name, description }: Organization) => ({ id, name, description }),
});
const caches = createReadCaches({
  feed: { subscribe: () => () => {}, onHeard: () => () => {}, heardUpTo: () => undefined },
  isFresh: () => true,
  limits: {
    tokens: { entries: 0, bytes: 1 },
    organizations: { entries: COUNT, bytes: 10_000_000_000 },
    memberships: COUNT,
  },
});
const { findForUser } = caches.cachedOrganizations({
  findForUser: async (id: OrganizationId, { accountId }: OrganizationReader) => {
    const name = `Organization ${id}`;
    const createdAt = (1_767_225_600_000 + id) as Instant;
    return {
      organization: Object.freeze(anOrganization({ id, accountId, name, createdAt })),
      isMember: true,
    };
  },
});

/** The heap after the answers to these organizations. */
async function heapAfter(from: number, to: number): Promise<number> {
  for (let id = from; id <= to; id += 1) {
    const found = await findForUser(id as OrganizationId, READER);
    if (found) answer(request, found.organization);
  }
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

// The first ones make what exists once.
const first = COUNT / 100;
const before = await heapAfter(1, first);
process.stdout.write(`${Math.round(((await heapAfter(first + 1, COUNT)) - before) / (COUNT - first))}\n`);
