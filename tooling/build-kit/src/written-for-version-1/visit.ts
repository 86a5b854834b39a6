import type { ExtensionPorts } from '@gatehouse/extension-kit';
import {
  type AccountId,
  type AuditEvent,
  authorized,
  type Brand,
  checkText,
  defineRule,
  err,
  eventBy,
  eventOf,
  findOrganizationFor,
  type Instant,
  type OrganizationId,
  ok,
  parsePositiveInteger,
  type Result,
} from '@gatehouse/extension-kit/domain';

export type VisitId = Brand<number, 'VisitId'>;

export interface Visit {
  readonly id: VisitId;
  readonly accountId: AccountId;
  readonly organizationId: OrganizationId;
  readonly visitor: string;
  readonly startedAt: Instant;
}

export interface VisitStore {
  list(query: {
    readonly organizationId: OrganizationId;
    readonly after?: VisitId | undefined;
    readonly limit: number;
  }): Promise<readonly Visit[]>;
  insert(
    visit: Omit<Visit, 'id'>,
    audit: (created: Visit) => AuditEvent,
  ): Promise<Result<Visit, { readonly code: 'not_found' | 'visit_under_way' }>>;
}

export const READ_VISITS = defineRule('visits:read', {
  scope: 'visits:read',
  users: 'members',
  operator: true,
});
export const START_VISIT = defineRule('visits:start', { users: 'admins', operator: true });

export const parseVisitId = parsePositiveInteger<VisitId>;

type Ports = ExtensionPorts<VisitStore>;

const listVisits = authorized(
  READ_VISITS,
  ({ store, organizations }: Ports) =>
    async (
      caller,
      input: {
        readonly organizationId: OrganizationId | undefined;
        readonly after: VisitId | undefined;
        readonly limit: number;
      },
    ) => {
      const found = await findOrganizationFor(organizations, caller, READ_VISITS, input.organizationId);
      if (!found.ok) return found;
      return ok(await store.list({ ...input, organizationId: found.value.id }));
    },
);

const startVisit = authorized(
  START_VISIT,
  ({ store, organizations, clock }: Ports) =>
    async (caller, input: { readonly organizationId: OrganizationId; readonly visitor: string }) => {
      const visitor = checkText('visitor', input.visitor, 100);
      if (!visitor.ok) return visitor;
      const found = await findOrganizationFor(organizations, caller, START_VISIT, input.organizationId);
      if (!found.ok) return found;
      const { id: organizationId, accountId } = found.value;
      const startedAt = clock.now();
      const visit = { accountId, organizationId, visitor: visitor.value, startedAt };
      return store.insert(visit, (created) =>
        eventBy(caller, eventOf(startedAt, 'visit.started', created, { organization_id: organizationId })),
      );
    },
);

export type VisitUseCases = ReturnType<typeof createUseCases>;

export function createUseCases(ports: Ports) {
  return { listVisits: listVisits(ports), startVisit: startVisit(ports) };
}

export const underWay = () => err({ code: 'visit_under_way' } as const);
