import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import type { Shell } from '../elements/layout.ts';
import { SIGN_OUT } from '../paths.ts';
import type { Visit } from '../visit.ts';
import { createOpenRequest, type PageRequest, type PageRequestPorts } from './page-request.ts';

/** Finds who is signed in, for the header of a public page; undefined for a visitor. */
export type FindShell = (visit: Visit) => Promise<Shell | undefined> | undefined;

/**
 * Without a session cookie it reads nothing. Showing the page does not count as use of the session, and works without a database.
 */
export function createFindShell(ports: PageRequestPorts): FindShell {
  const open = createOpenRequest(ports);
  async function find(visit: Visit): Promise<Shell | undefined> {
    const opened = await open(visit, { extend: false });
    return opened.state === 'open' ? shellOf(opened.request) : undefined;
  }
  return (visit) => {
    if (visit.cookie('session') === undefined) return undefined;
    return find(visit).catch((fault: unknown) => {
      if (fault instanceof UnavailableFault || fault instanceof SetupFault) return undefined;
      throw fault;
    });
  };
}

/** The header of a page, for the user of a request. */
export function shellOf({ user, account, path, formToken }: PageRequest): Shell {
  return { user, account, path, signOutToken: formToken(SIGN_OUT) };
}
