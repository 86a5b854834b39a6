import { ok } from '@gatehouse/extension-kit/domain';
import type { ExampleScene } from '@gatehouse/extension-kit/testing';
import { underWay, type Visit, type VisitId, type VisitStore } from './visit.ts';

export function createInMemoryStore(): VisitStore {
  const visits: Visit[] = [];
  return {
    list: async ({ organizationId, after = 0, limit }) =>
      visits.filter((each) => each.organizationId === organizationId && each.id > after).slice(0, limit),
    async insert(visit, audit) {
      if (visits.some(({ visitor }) => visitor === visit.visitor)) return underWay();
      const created = { id: (visits.length + 1) as VisitId, ...visit };
      audit(created);
      visits.push(created);
      return ok(created);
    },
  };
}

export async function examples({ shared, closed, foreign }: ExampleScene<VisitStore>) {
  return {
    listVisits: {
      success: { params: { organization: shared.id } },
      not_allowed: { as: 'member' as const, params: { organization: closed.id } },
      not_found: { params: { organization: foreign.id } },
    },
  };
}
