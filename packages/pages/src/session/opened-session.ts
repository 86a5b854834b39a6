import type { Session, SessionFormKey, SessionSecret } from '@gatehouse/domain/sessions';
import type { Role } from '@gatehouse/domain/users';
import type { Header } from '@gatehouse/http';
import { openDraft, sealDraft } from '../forms/draft.ts';
import { clearCookie, setCookie } from '../http/cookies.ts';
import { firstPageFor } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { forget, type Visit } from '../visit.ts';
import { openRequest, type PageRequestPorts } from './page-request.ts';
import { visitSecret } from './sign-in-page.ts';

export type OpenedSessionPorts = PageRequestPorts & Pick<PagePorts, 'endSession'>;

/** A session that a sign-in has just opened, and what the browser had before. */
interface Opened {
  readonly session: Session;
  readonly role: Role;
  readonly secret: SessionSecret;
  readonly formKey: SessionFormKey;
  /** The page that the visitor wanted. */
  readonly next: string | undefined;
  /** The draft that the sign-in page kept, sealed with the secret of the visit. */
  readonly draft: string | undefined;
}

/**
 * Returns where the browser goes after a sign-in, and the cookies that it gets. Ends the session that the browser had:
 * the sign-in replaces its cookie, so no browser could end it later.
 */
export async function openedSession(
  ports: OpenedSessionPorts,
  visit: Visit,
  { session, role, secret, formKey, next, draft }: Opened,
): Promise<{ readonly path: string; readonly headers: readonly Header[] }> {
  const { site } = visit;
  const before = await openRequest(ports, visit, { toEnd: true });
  if (before.state === 'open') await ports.endSession(before.request.caller, before.request.session.id);
  const first = firstPageFor(role);
  const typed = openDraft(draft, visitSecret(visit));
  // Another user may have typed the draft, on a page that the user who is now signed in may not see.
  const isForeign = typed !== undefined && typed.user !== session.userId;
  const carried = typed && !isForeign && sealDraft(typed, formKey);
  return {
    path: isForeign ? first : (next ?? first),
    headers: [
      setCookie(site, 'session', secret),
      clearCookie(site, 'visit'),
      ...forget(visit, 'notice'),
      ...(carried ? [setCookie(site, 'draft', carried)] : forget(visit, 'draft')),
    ],
  };
}
