import * as sessions from '@gatehouse/domain/sessions';

export type SessionUseCases = ReturnType<typeof createSessionUseCases>;

/** Creates the use cases of sessions, which only servers have. */
export function createSessionUseCases(ports: sessions.OpenSessionPorts) {
  return {
    openSession: sessions.openSession(ports),
    findSession: sessions.findSession(ports),
    confirmPassword: sessions.confirmPassword(ports),
    changeOwnPassword: sessions.changeOwnPassword(ports),
    endSession: sessions.endSession(ports),
    listOwnSessions: sessions.listOwnSessions(ports),
    endOwnSession: sessions.endOwnSession(ports),
    endOtherSessions: sessions.endOtherSessions(ports),
  };
}
