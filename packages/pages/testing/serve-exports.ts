import { once } from 'node:events';
import { err, ok } from '@gatehouse/domain';
import type { AuditEventId, ToldEntry } from '@gatehouse/domain/audit';
import { anEvent, givenAccount, givenPerson, PASSWORD } from '@gatehouse/domain/testing';
import { openRaw } from '@gatehouse/front/testing';
import type { PageUseCases } from '../src/page-use-cases.ts';
import { cookieOf } from './serve-first-use.ts';
import { type PageScene, servePages } from './serve-pages.ts';
import type { Visitor } from './visitor.ts';

export const EXPORT = '/settings/api/activity/export';

/** A text of this length in each event fills the buffers of a connection with few events. */
const LONG = 'x'.repeat(100_000);

/** A page of events for `serveExports`. */
export const aPage = (count: number): readonly ToldEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    id: (count - index) as AuditEventId,
    actorEmail: null,
    event: anEvent({ action: 'organization.created', subject: { type: 'organization', id: '1' } }),
  }));

/**
 * Serves the pages with an admin who exports the activity of the account.
 *
 * @param pages returned by the use case instead of the events of the log
 */
export function serveExports(pages?: () => AsyncGenerator<readonly ToldEntry[]>) {
  const pauses: (() => void)[] = [];
  const listAccountAuditEvents: PageUseCases['listAccountAuditEvents'] = async (caller) =>
    caller.kind === 'user' && caller.role === 'admin' && pages ? ok(pages()) : err({ code: 'not_allowed' });
  return servePages({
    ...(pages && { useCases: { listAccountAuditEvents } }),
    pause: () => new Promise<void>((resolve) => void pauses.push(resolve)),
    given: async (scene) => ({ ...(await exporting(scene)), pauses }),
  });
}

async function exporting(scene: PageScene) {
  const { world, people, url } = scene;
  const visitor = await scene.signedIn();
  const record = (details: Readonly<Record<string, string>>, accountId = people.account.id) =>
    world.accounts.insert({ name: 'Another', createdAt: world.clock.now() }, () =>
      anEvent({
        at: world.clock.now(),
        accountId,
        action: 'organization.created',
        subject: { type: 'organization', id: '1' },
        details,
      }),
    );
  return {
    visitor,
    record,
    export: (query = 'format=csv', by = visitor, method = 'GET') => by.ask(`${EXPORT}?${query}`, { method }),
    /** Signs in the admin of another new account. */
    async otherAdmin(email = 'eve@initech.example') {
      const { id: accountId } = await givenAccount(world, 'Initech');
      await givenPerson(world, { accountId, email });
      return Object.assign(await scene.signedIn({ email, password: PASSWORD }), { accountId });
    },
    /** Records events that no connection takes at once. */
    async recordMuch(accountId = people.account.id) {
      for (let index = 0; index < 300; index += 1) await record({ name: LONG }, accountId);
    },
    /** Begins an export and reads only its beginning. */
    async openUnread(by: Visitor = visitor, query = 'format=csv') {
      const connection = await openRaw(url);
      const begun = once(connection.socket, 'data');
      connection.write(
        `GET ${EXPORT}?${query} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nCookie: ${cookieOf(by)}\r\n\r\n`,
      );
      const head = String(await begun).split('\r\n')[0];
      connection.socket.pause();
      return { connection, head };
    },
  };
}
