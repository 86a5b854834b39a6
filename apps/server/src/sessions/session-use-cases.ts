import * as sessions from '@gatehouse/domain/sessions';
import { type Made, make, type PortsOf, useCasesIn } from '@gatehouse/installation';

/** The use cases of sessions, which only servers have. Opening and finding one makes the caller who is asked for later. */
const SESSIONS = {
  ...useCasesIn(sessions),
  openSession: sessions.openSession,
  findSession: sessions.findSession,
};

export type SessionUseCases = Made<typeof SESSIONS>;

export function createSessionUseCases(ports: PortsOf<typeof SESSIONS>): SessionUseCases {
  return make(SESSIONS, ports);
}
